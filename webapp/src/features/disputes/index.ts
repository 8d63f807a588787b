export { holdWords } from "./parts/holdWords";
export { Thread } from "./parts/Thread";
export { standing, statusTones } from "./parts/tones";
export { lengthOf, Words } from "./parts/Words";
