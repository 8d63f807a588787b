package agenda

import contract "adashi.ng/proto/gen/httpapi"

// The reply and its parts are the contract's own types; no other file of the package imports the contract.
type (
	// Kind is what a row is about.
	Kind = contract.AgendaKind
	// Row is one thing that waits.
	Row = contract.AgendaRow

	place = contract.AgendaPlace
)

// The kinds.
const (
	GroupDue    = contract.AgendaKindGROUPDUE
	AjoDue      = contract.AgendaKindAJODUE
	AjoDeposit  = contract.AgendaKindAJODEPOSIT
	Pot         = contract.AgendaKindPOT
	Debt        = contract.AgendaKindDEBT
	DebtToMe    = contract.AgendaKindDEBTTOME
	AdashiDebt  = contract.AgendaKindADASHIDEBT
	Join        = contract.AgendaKindJOIN
	Request     = contract.AgendaKindREQUEST
	PotRequest  = contract.AgendaKindPOTREQUEST
	Waiver      = contract.AgendaKindWAIVER
	Correction  = contract.AgendaKindCORRECTION
	Case        = contract.AgendaKindCASE
	Ownership   = contract.AgendaKindOWNERSHIP
	Succession  = contract.AgendaKindSUCCESSION
	Swap        = contract.AgendaKindSWAP
	Vote        = contract.AgendaKindVOTE
	Terms       = contract.AgendaKindTERMS
	Order       = contract.AgendaKindORDER
	PhoneDraw   = contract.AgendaKindPHONEDRAW
	Bid         = contract.AgendaKindBID
	Past        = contract.AgendaKindPAST
	Question    = contract.AgendaKindQUESTION
	Audit       = contract.AgendaKindAUDIT
	Sample      = contract.AgendaKindSAMPLE
	Dispute     = contract.AgendaKindDISPUTE
	DisputeNews = contract.AgendaKindDISPUTENEWS
	Invitation  = contract.AgendaKindINVITATION
	GroupSetup  = contract.AgendaKindGROUPSETUP
	AjoSetup    = contract.AgendaKindAJOSETUP
	Verify      = contract.AgendaKindVERIFY
	Thaw        = contract.AgendaKindTHAW

	ofGroup = contract.AgendaPlaceKindGROUP
	ofAjo   = contract.AgendaPlaceKindAJO
)
