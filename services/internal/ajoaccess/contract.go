package ajoaccess

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	AjoAccess       = contract.AjoAccess
	AjoAccessStatus = contract.AjoAccessStatus
	AjoAsk          = contract.AjoAsk
	AjoAskPage      = contract.AjoAskPage
	AjoAskRow       = contract.AjoAskRow
	AjoNeed         = contract.AjoNeed
	AjoNeedWhat     = contract.AjoNeedWhat
	AjoPaper        = contract.AjoPaper
	AjoPaperOnFile  = contract.AjoPaperOnFile
)

// Their values.
const (
	AGE                 = contract.AGE
	AjoAccessStatusNONE = contract.AjoAccessStatusNONE
	BANKSTATEMENT       = contract.BANKSTATEMENT
	BVN                 = contract.BVN
	BankStatement       = contract.BankStatement
	OFFERLETTER         = contract.OFFERLETTER
	OfferLetter         = contract.OfferLetter
	SALARY              = contract.SALARY
)
