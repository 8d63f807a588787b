package witnesses

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	Cosignature        = contract.Cosignature
	CosignatureRequest = contract.CosignatureRequest
	CosignatureBy      = contract.CosignatureBy
	Cosignatures       = contract.Cosignatures
	WitnessKey         = contract.WitnessKey
	WitnessKeys        = contract.WitnessKeys
)

// Who signed.
const (
	OUTSIDER         = contract.CosignatureByOUTSIDER
	MINE             = contract.CosignatureByMINE
	VALIDATOR        = contract.CosignatureByVALIDATOR
	VALIDATOROFGROUP = contract.CosignatureByVALIDATOROFGROUP
)
