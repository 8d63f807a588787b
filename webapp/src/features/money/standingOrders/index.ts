export { StandingOrders } from "./parts/StandingOrders";
export { standingTexts } from "./texts";
