package notices

import (
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
)

// ajoNotice says what became of a member's access to ajo with people whom they do not know.
func ajoNotice(r notifications.Notification, say func(title, body, link string) NotificationData) NotificationData {
	const page = "/dashboard/profile/edit#ajo"
	switch r.Type {
	case told.AjoAccessGranted:
		return say("Ajo access granted", "You may join ajo with people you do not know, up to "+r.Amount.String()+" a month in all.", page)
	case told.AjoAccessRefused:
		return say("Ajo access not granted", "Our finance team says: “"+r.Detail+"” Correct it in your profile, then ask again.", page)
	default:
		return say("Ajo access lost", r.Detail+" You cannot join ajo with people you do not know until you ask again and it is granted.", page)
	}
}
