package told

import "google.golang.org/protobuf/reflect/protoreflect"

// ofPeople are the events of accounts.
var ofPeople = map[protoreflect.Name]Row{
	"BvnVerified":         tells(tell(BvnVerified, User)),
	"BvnFailed":           tells(tell(BvnFailed, User)),
	"BvnMatchUndone":      nobody("follows from another bank account").not("named another bank account, of which SecurityAlertRaised tells", User),
	"SecurityAlertRaised": tells(tell(SecurityAlert, User)),
	"PasswordTried":       tells(tell(SecurityAlert, User)),
	"GuardianConsented":   tells(tell(GuardianConsented, User)),
	"AccountClosed":       nobody(own).not(did, User),
	"StaffActed":          nobody("what staff look at is for the audit").not(did, Staff).not("is not told who looked, so that an inquiry stays one", "subject"),
	"TierSet":             tells(tell(TierSet, User)).not(did, "set_by"),

	"AjoAccessAsked":     nobody("waits at the desk").not(did, User),
	"AjoAccessGranted":   tells(tell(AjoAccessGranted, User)).not(did, "reviewed_by"),
	"AjoAccessRefused":   tells(tell(AjoAccessRefused, User)).not(did, "reviewed_by"),
	"AjoAccessWithdrawn": nobody(own).not(did, User),
	"AjoAccessLost":      tells(tell(AjoAccessLost, User)),

	"AccountRemedyProposed": tells(tell(AccountRemedy, User)).not(did, "proposed_by"),
	"AccountRemedyDeclined": tells(tell(AccountRemedy, User)).not(did, "declined_by"),
	"AccountGivenBack":      nobody(Earlier),
	"AccountGivenBackV2":    tells(tell(AccountRemedy, User)).not(atDesk, "proposed_by").not(did, "approved_by"),
	"AccountSessionsEnded":  nobody("follows from an account that was given back").not("is told by AccountGivenBackV2", User),
	"StolenActFound":        tells(tell(AccountRemedy, User), tell(MemberJoined, GroupOwner).but(User).when("the membership stays"), tell(AjoPlaceOpened, AjoOwner).but(User).when("the seats stay")),
	"AnotherBvnLetIn":       tells(tell(AccountRemedy, User)).not(atDesk, "proposed_by").not(did, "approved_by"),

	"RecordsLost":          tells(tell(SecurityAlert, User).by(Letter)),
	"WitnessKeyRegistered": nobody(own).not(did, User),
	"WitnessKeyRevoked":    nobody(own).not(did, User),
	"AttestKeyRegistered":  tells(tell(SecurityAlert, User).by(Letter)),
	"AttestKeyRevoked":     nobody(own).not(did, User),
}
