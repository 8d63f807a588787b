package standing

import "adashi.ng/ledger/base/fault"

// Act is a class of what people do, or of what is done to them.
type Act int

// What a person does. The contract names one of these for each command.
const (
	Read Act = iota
	Mind
	Report
	Operate
	Pay
	PayDues
	CoverDues
	OrderDues
	PayByOrder
	Decide
	Cancel
	Speak
	Found
	Join
	Commit
	OpenCard
	Leave
	Withdraw
	WithdrawSavings
	Claim
	ApproveClaim
	AnswerObjections
	SendAgain
	Waive
	ApprovePot
	HoldPot
	Dispute
	Keep
	AskAccess
	NameBank
	MoveEmail
	Credit
	SetTier
	ReviewAccess
	Remedy
	HandleCase
	Correct
	Resolve
	Audit

	// What is done to a person.

	Serve
	HandOver
	BeGiven
	BePaidFor
	BePenalised
	BePaidIn
	Receive
	BeCredited
	BeReviewed
	BeAdjusted
	BeTakenFrom
	Collect
	HoldSeat
	BeCounted

	acts // How many there are.
)

// row is one act, and the standings in which it is refused. It is allowed in all others.
type row struct {
	name    string // As the contract writes it.
	what    string // For docs/standing.md.
	refused map[Standing]refusal
}

// Why a standing order ends: the account is closed, or its owner is no active member of the group any more.
const (
	OrderEnds = "The account was closed."
	OrderLeft = "You are no longer a member of the group."
)

// Sentences that more than one cell says.
const (
	isClosed   = "This account is closed."
	isFrozen   = "Your money is frozen, so you cannot do this now. You can thaw it in your profile, under Security: that takes a day."
	stays      = "You froze your money, because somebody else may be using your account. Nothing was taken. Thaw it in your profile, under Security."
	tooYoung   = "Money can be sent to a bank from the age of 18 on. Nothing was taken."
	noPayer    = "This %s has closed their account, so nobody can pay for them. You have not been charged."
	noOwner    = "The group cannot pass to you just now. Ask its owner."
	takesNo    = "This member has closed their account, so it is not adjusted."
	noSub      = "There is no such sub-account."
	noMember   = "There is no such member."
	noOrder    = "You wait to be approved by the group. You can set a standing order once you are a member."
	noClaim    = "You wait to be approved by the group. You can ask for money once you are a member."
	onlyActive = "Only active members of the group can pay for others."
	ownCase    = "This is your own dispute. Another of the desk takes it."
	inGroup    = "You have a part in this case, or are, or were, in this group. Another of the desk takes it."
	hasPart    = "You have a part in this. Somebody else decides."
)

// conflict is a cell that every build asked; now is one that today's builds ask.
func conflict(says string) refusal { return refusal{fault.Conflict, says, always} }

func now(says string) refusal { return refusal{fault.Conflict, says, today} }

func notFound(says string) refusal { return refusal{fault.NotFound, says, always} }

func forbidden(says string) refusal { return refusal{fault.Forbidden, says, always} }

// deciding are the cells of an act by which somebody decides, with those that this act has beside them.
func deciding(more map[Standing]refusal) map[Standing]refusal {
	cells := map[Standing]refusal{Frozen: now(isFrozen), Closed: now(isClosed)}
	for s, r := range more {
		cells[s] = r
	}
	return cells
}

// table is what is refused to whom. Nothing else in the ledger says so.
var table = [acts]row{
	Read:    {name: "read", what: "reads, counts a price, asks for a paper"},
	Mind:    {name: "mind", what: "signs up, logs in, minds sessions, notices and what they are shown"},
	Report:  {name: "report", what: "is a gateway and tells of money"},
	Operate: {name: "operate", what: "is staff and has the machine, or a bank, asked again"},
	Pay:     {name: "pay", what: "pays in, pays their dues and debts in an ajo, or pays for another there"},
	PayDues: {name: "payDues", what: "pays their own dues to a group", refused: map[Standing]refusal{
		Stranger: notFound(noSub), Invited: notFound(noSub),
		Waiting:  conflict("You wait to be approved by the group. You can pay once you are a member."),
		Inactive: conflict("You are inactive in this group, so you cannot pay. Ask an approver to let you back in."),
		Ward:     forbidden("You are under 18, so a parent or guardian must consent before you can contribute. Ask for it in your profile. You have not been charged."),
	}},
	CoverDues: {name: "coverDues", what: "pays the dues of another member of a group", refused: map[Standing]refusal{
		Stranger: notFound(noSub), Invited: notFound(noSub), Waiting: conflict(onlyActive), Inactive: conflict(onlyActive),
	}},
	OrderDues: {name: "orderDues", what: "sets a standing order", refused: map[Standing]refusal{
		Stranger: notFound(noSub), Invited: conflict(noOrder), Waiting: conflict(noOrder),
		Inactive: conflict("You are inactive in this group, so you cannot set a standing order. Ask an approver to let you back in."),
	}},
	PayByOrder: {name: "payByOrder", what: "has a standing order pay", refused: map[Standing]refusal{
		Closed: conflict(OrderEnds), Stranger: conflict(OrderLeft), Invited: conflict(OrderLeft), Waiting: conflict(OrderLeft),
	}},
	Decide: {name: "decide", what: "approves, votes, appoints, sets, marks, or gives something away", refused: deciding(map[Standing]refusal{
		Party: forbidden("You are, or were, in this group. Somebody else of Adashi decides about it."),
	})},
	Cancel: {name: "cancel", what: "objects to a payment, or takes back what they asked for", refused: map[Standing]refusal{Closed: now(isClosed)}},
	Speak:  {name: "speak", what: "declines, answers, reminds, or asks for what is theirs within Adashi"},
	Found: {name: "found", what: "founds a group", refused: deciding(map[Standing]refusal{
		Minor: forbidden("You can found a group from the age of 18 on. Until then you can join one, with the consent of your parent or guardian."),
	})},
	Join: {name: "join", what: "takes a place in a group", refused: map[Standing]refusal{Closed: now(isClosed)}},
	Commit: {name: "commit", what: "makes an ajo, or takes a place in one", refused: map[Standing]refusal{
		Frozen: now(isFrozen), Closed: conflict(isClosed), Minor: forbidden("You can take part in an ajo from the age of 18 on."),
	}},
	OpenCard: {name: "openCard", what: "opens a savings card", refused: map[Standing]refusal{
		Closed: now(isClosed), Minor: forbidden("You can save on a card from the age of 18 on."),
	}},
	Leave: {name: "leave", what: "leaves a group and has nothing saved there", refused: map[Standing]refusal{
		Stranger: notFound("There is no such group."),
		Invited:  conflict("You are invited and no member yet. You can decline the invitation."),
		Inactive: conflict("You are inactive. Ask for your money first; an approver makes you active again, and then you can leave."),
	}},
	Withdraw: {name: "withdraw", what: "has their own money paid to their bank", refused: map[Standing]refusal{
		Frozen: conflict(stays), Closed: conflict(isClosed), Minor: forbidden(tooYoung),
	}},
	WithdrawSavings: {name: "withdrawSavings", what: "asks for their own savings in a group", refused: map[Standing]refusal{
		Frozen: conflict(stays), Closed: conflict(isClosed), Minor: forbidden(tooYoung), Stranger: notFound(noSub), Invited: notFound(noSub), Waiting: conflict(noClaim),
	}},
	Claim: {name: "claim", what: "asks a group to pay somebody", refused: map[Standing]refusal{
		Frozen: conflict(stays), Closed: now(isClosed), Stranger: notFound(noSub), Invited: notFound(noSub), Waiting: conflict(noClaim),
		Inactive: conflict("You are inactive in this group, so you can ask for your own savings only."),
	}},
	ApproveClaim: {name: "approveClaim", what: "validates, approves or rejects what somebody asked their group for", refused: deciding(map[Standing]refusal{
		Own: forbidden("Nobody decides on their own request. You may cancel it until it is approved."),
	})},
	AnswerObjections: {name: "answerObjections", what: "answers those who object to a payment", refused: deciding(map[Standing]refusal{
		Own: forbidden("Nobody decides on their own request. You may cancel it."),
	})},
	SendAgain: {name: "sendAgain", what: "has a payout that the bank refused sent again", refused: deciding(map[Standing]refusal{
		Own: forbidden("Nobody decides on their own request. Another approver may send it again."),
	})},
	Waive: {name: "waive", what: "asks to let a member off a due, or decides on that", refused: deciding(map[Standing]refusal{
		Own: forbidden("Nobody decides about their own dues. Ask another approver."),
	})},
	ApprovePot: {name: "approvePot", what: "approves the payout of an ajo's pot", refused: deciding(map[Standing]refusal{
		Own: forbidden("Nobody approves their own payout."),
	})},
	HoldPot: {name: "holdPot", what: "holds the payout of an ajo's pot", refused: deciding(map[Standing]refusal{
		Own: forbidden("Nobody decides on their own payout."),
	})},
	Dispute: {name: "dispute", what: "disputes something", refused: map[Standing]refusal{Closed: conflict("This account is closed. Please write to us instead.")}},
	Keep:    {name: "keep", what: "has something recorded of their own account: BVN, keys, a freeze, its end", refused: map[Standing]refusal{Closed: conflict(isClosed)}},
	AskAccess: {name: "askAccess", what: "asks for ajo access, or takes that back", refused: map[Standing]refusal{
		Closed: conflict(isClosed), Minor: forbidden("Ajo with people you do not know is for members of 18 or over. Ask again after your birthday."),
	}},
	NameBank: {name: "nameBank", what: "names another bank account", refused: map[Standing]refusal{Frozen: conflict(stays)}},
	MoveEmail: {name: "moveEmail", what: "moves their account to another e-mail address", refused: map[Standing]refusal{
		Frozen: conflict("You froze your money, because somebody else may be using your account, so your e-mail stays until it is thawed."), Closed: conflict(isClosed),
	}},
	Credit: {name: "credit", what: "is staff and says what money is that came without a name", refused: deciding(map[Standing]refusal{
		Own: forbidden("Nobody decides about money for themselves. Ask a colleague."),
	})},
	SetTier: {name: "setTier", what: "is staff and sets a member's tier", refused: deciding(map[Standing]refusal{
		Own: forbidden("Nobody sets their own tier. Ask a colleague."),
	})},
	ReviewAccess: {name: "reviewAccess", what: "is staff and decides on ajo access", refused: deciding(map[Standing]refusal{
		Own:  forbidden("Nobody decides on their own ajo access. Ask a colleague to look at it."),
		Tied: forbidden("You are paid to the same bank account as this member. Ask a colleague to look at it."),
	})},
	Remedy: {name: "remedy", what: "is staff and gives an account back, or lets another BVN in", refused: deciding(map[Standing]refusal{
		Own:   forbidden("Nobody decides about their own account. Ask a colleague."),
		Party: forbidden("You are, or were, in a group or an ajo with this member. Another of the desk does this."),
		Tied:  forbidden("You are paid to the same bank account as this member, or as the other who decides. Another of the desk does this."),
	})},
	HandleCase: {name: "handleCase", what: "is staff and works on a case", refused: map[Standing]refusal{Own: forbidden(ownCase), Party: forbidden(inGroup)}},
	Resolve: {name: "resolve", what: "is staff and decides a case, or answers the bank of a card", refused: deciding(map[Standing]refusal{
		Own: forbidden(ownCase), Party: forbidden(inGroup),
	})},
	Correct: {name: "correct", what: "is staff and proposes or approves a correction", refused: deciding(map[Standing]refusal{
		Own: forbidden(hasPart), Party: forbidden(hasPart),
	})},
	Audit: {name: "audit", what: "marks a payment", refused: deciding(map[Standing]refusal{
		Own: forbidden("Nobody audits a payment made by or for themselves. Nothing was marked."),
	})},

	Serve: {name: "serve", what: "is given an office", refused: map[Standing]refusal{
		Frozen: now("This person cannot take an office just now. Ask them, or choose somebody else."),
		Closed: now("This person has closed their account, so they cannot hold an office."),
	}},
	HandOver: {name: "handOver", what: "has the group that they offered taken over", refused: map[Standing]refusal{Frozen: now(noOwner), Closed: now(noOwner)}},
	BeGiven:  {name: "beGiven", what: "is invited, let in, or let off a due", refused: map[Standing]refusal{Closed: now("This person has closed their account, so nothing can be given to them any more.")}},
	BePaidFor: {name: "bePaidFor", what: "has another pay for them", refused: map[Standing]refusal{
		Closed: now(noPayer), Stranger: notFound(noMember), Invited: notFound(noMember), Waiting: notFound(noMember),
		Inactive: conflict("This member is inactive, so nobody can pay for them now."),
	}},
	BePenalised: {name: "bePenalised", what: "earns a penalty", refused: map[Standing]refusal{Closed: now("This member has closed their account, and owes nothing more.")}},
	BePaidIn:    {name: "bePaidIn", what: "has money come in for a payment that they started", refused: map[Standing]refusal{Closed: conflict("The account that this was paid for is closed.")}},
	Receive:     {name: "receive", what: "gets money that is theirs; refused, it goes into suspense", refused: map[Standing]refusal{Closed: conflict("This member has closed their account, so nothing can be credited to it.")}},
	BeReviewed:  {name: "beReviewed", what: "has staff decide about their account, tier or ajo access", refused: map[Standing]refusal{Closed: conflict("This member has closed their account, so nothing is decided about it any more.")}},
	BeCredited:  {name: "beCredited", what: "gets money that staff proposed to credit", refused: map[Standing]refusal{Closed: conflict("This member has closed their account since. Decline the proposal.")}},
	BeAdjusted:  {name: "beAdjusted", what: "is paid by a correction", refused: map[Standing]refusal{Closed: conflict(takesNo)}},
	BeTakenFrom: {name: "beTakenFrom", what: "has money taken back by a correction", refused: map[Standing]refusal{
		Frozen: conflict("This member froze their money, so nothing is taken back until they thaw it."), Closed: conflict(takesNo),
	}},
	Collect:  {name: "collect", what: "is made the collector of a card", refused: map[Standing]refusal{Closed: conflict("A collector needs a verified BVN.")}},
	HoldSeat: {name: "holdSeat", what: "holds a seat when an ajo's list is closed", refused: map[Standing]refusal{Closed: now("Seat %d is held by somebody who has closed their account. Cancel this ajo and make another one.")}},
	BeCounted: {name: "beCounted", what: "is counted among those who decide on what is asked for later", refused: map[Standing]refusal{
		Closed: now("One official has closed their account."),
		Tied:   conflict("One official shares a bank account or a BVN with the person who asks or is paid."),
	}},
}
