export { ConfirmRail, Unknown } from "./parts/Confirm";
export { Followed } from "./parts/Followed";
export { Arrived, whenItComes } from "./parts/Outcomes";
export { PayBar } from "./parts/PayBar";
export { methods, Short } from "./parts/PayForm";
export { useAddress } from "./parts/useAddress";
export { type Method, useFromWallet } from "./parts/usePaying";
export { paymentTexts } from "./texts";
