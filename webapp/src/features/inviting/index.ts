export { ByEmail } from "./parts/ByEmail";
export { InvitationLink, InvitationQr, WhatsAppButton } from "./parts/Ways";
