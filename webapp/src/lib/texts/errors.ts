/** The error sentences of the product, to the letter. */
export const errorTexts = {
  noResponse: "Unable to connect, please try again",
  unknown: "Something went wrong",
  offline: "You are offline. Nothing was sent. We kept what you typed.",
  sessionExpired: "Your session has expired, please log in to continue",
  render: "Please try again later.",
  part: "This part of the page could not be loaded.",
  wallet: {
    transient: "Service temporarily unavailable. Please try again in a few moments.",
    server: "Server error. Please try again later.",
    noResponse: "Unable to connect to the server. Please check your internet connection.",
    other: "An unexpected error occurred. Please try again.",
  },
  notAnswered: {
    login: "Unable to login at the moment, please try again later",
    signup: "Unable to signup at the moment, please try again later",
    verify: "Unable to verify email at the moment, please try again later",
    updateInfo: "Unable to update info at the moment, please try again later",
    uploadImage: "Unable to upload image at the moment, please try again later",
    sendReset: "Unable to send password reset link at the moment, please try again later",
    resetPassword: "Unable to reset password at the moment, please try again later",
    changePassword: "Unable to change password at the moment, please try again later",
    saveDocument: "Unable to save document at the moment, please try again later",
    verifyBvn: "Unable to verify bvn at the moment, please try again later",
    createGroup: "Unable to create group savings at the moment, please try again later",
    createAjo: "Unable to create a group ajo at the moment, please try again later",
    joinAjo: "Unable to join ajo at the moment, please try again later",
    createSubAccount: "Unable to create sub-account at the moment, please try again later",
    join: "Unable to join at the moment, please try again later",
    addMember: "Unable to add member at the moment, please try again later",
    pay: "Unable to complete payment at the moment, please try again later",
    reference: "Unable to generate reference at the moment, please try again later",
    verifyTransaction: "Unable to verify transaction at the moment, please try again later",
  },
  failedTo: {
    balances: "Failed to fetch user balances",
    wallet: "Failed to fetch wallet balance",
    transactions: "Failed to fetch wallet transactions",
    notifications: "Failed to fetch notifications",
    notificationInfo: "Failed to fetch notification info",
    readOne: "Failed to mark notification as read",
    readAll: "Failed to mark notifications as read",
    clear: "Failed to clear notifications",
  },
} as const;

/** Sentences about the money after an error, shown beside it. */
export const moneyTexts = {
  notCharged: "You have not been charged.",
  unknownTitle: "We don't know yet whether this went through",
  unknown:
    "No clear answer came. You will not be charged twice: checking again asks about this very one. Please check before you try another way.",
  checkAgain: "Check again",
} as const;
