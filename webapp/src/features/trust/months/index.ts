import { inPlace, lazyPart } from "@/ui/lazyPart";

/** The devices that sign what somebody attests of closed months. */
export const SigningDevices = lazyPart(() => import("./parts/SigningDevices").then((m) => m.SigningDevices), {
  failed: inPlace,
});
