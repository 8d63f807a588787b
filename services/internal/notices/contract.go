package notices

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	FailedLetter     = contract.FailedLetter
	Letters          = contract.Letters
	Notification     = contract.Notification
	NotificationData = contract.NotificationData
	NotificationPage = contract.NotificationPage
	NotificationType = contract.NotificationType
)
