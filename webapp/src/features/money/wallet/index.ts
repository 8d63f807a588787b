export { walletTexts } from "./texts";
