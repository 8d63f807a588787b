export { SendFile } from "./parts/Files";
export { holdWords } from "./parts/holdWords";
export { Paper, Thread } from "./parts/Thread";
export { standing, statusTones } from "./parts/tones";
export { lengthOf, Words } from "./parts/Words";
