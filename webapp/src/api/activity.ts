import { answer, client } from "./client";

export const getDashboard = () => answer(client.GET("/api/v1/dashboard"));

export const getAgenda = () => answer(client.GET("/api/v1/agenda"));

const NEWEST = 10;

export const getActivity = () => answer(client.GET("/api/v1/activity", { params: { query: { limit: NEWEST } } }));

export const getActivityDetail = (id: string) =>
  answer(client.GET("/api/v1/activity/{id}", { params: { path: { id } } }));

export const getNotifications = (before?: string) =>
  answer(client.GET("/api/Notification/all", { params: { query: { before, limit: 30 } } }));

export const getUnread = () => answer(client.GET("/api/v1/notifications/unread"));
export const readAllNotifications = () => answer(client.PATCH("/api/Notification/all"));
export const clearNotifications = () => answer(client.DELETE("/api/Notification/all"));
export const readNotification = (id: string) =>
  answer(client.PATCH("/api/Notification/{id}", { params: { path: { id } } }));
