export { StandingOrders } from "./parts/StandingOrders";
