import { answer, client } from "./client";

export const getGenders = () => answer(client.GET("/api/Utility/GetGenders"));
export const getStates = () => answer(client.GET("/api/Utility/GetStates"));
export const getBanks = () => answer(client.GET("/api/Payment/getbanks"));
export const getDemo = () => answer(client.GET("/api/v1/demo"));
export const getFaqs = () => answer(client.GET("/api/Utility/GetFaqs"));
