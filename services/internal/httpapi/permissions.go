package httpapi

import (
	"fmt"
	"slices"
	"strings"

	"adashi.ng/services/internal/people"
)

// Verdict is what a kind of person may do with a call.
type Verdict byte

// The verdicts. Who is denied gets 401 without a session, else 403, or 404 for what they may not know of.
const (
	Allow  Verdict = 'A'
	Self   Verdict = 'S' // For themselves alone.
	Masked Verdict = 'M' // They see less than who it belongs to.
	Deny   Verdict = '-'
)

// Kinds are the columns of the table. The middle five are what somebody is to the group that a call is about.
var Kinds = []string{"anonymous", "outsider", "member", "approver", "validator", "owner", "support", "finance", "admin"}

// who is a row's verdicts, in the order of Kinds; spaces do not count.
type who string

// The rows that many calls share.
const (
	public    who = "A AAAAA AAA"
	own       who = "- SSSSS SSS"
	members   who = "- -AAAA ---"
	approvers who = "- --A-A ---"
	officials who = "- --AAA ---"
	ownerOnly who = "- ----A ---"
	glimpse   who = "- MAAAA MMM"
	link      who = "M MMMMM MMM"
	lookOn    who = "- ----- AAA"
	finance   who = "- ----- -AA"
	admins    who = "- ----- --A"
)

// permission is one row of the table.
type permission struct {
	who   who
	limit limit
	// recognise finds the caller of a call that also works without a session.
	recognise bool
	// stream may answer for longer than requestTimeMax.
	stream bool
}

// permissions is who may do what: every call of the contract has its row, or Router panics. What depends on the
// caller's role is held here; what depends on whose the thing is, by the handler (SelfUser, SelfEmail) or the ledger's
// decider. The tests of services/e2e drive every call as every kind of person.
var permissions = map[string]permission{
	"POST /api/Account/Register":                                     {who: public, limit: mailing},
	"POST /api/Account/GetToken":                                     {who: public, limit: guessing},
	"POST /api/v1/account/verify-email":                              {who: public, limit: guessing},
	"POST /api/v1/account/resend-verification":                       {who: public, limit: mailing},
	"POST /api/Account/SendPasswordResetLink":                        {who: public, limit: mailing},
	"POST /api/Account/ResetPassword":                                {who: public, limit: guessing},
	"POST /api/v1/account/confirm-email":                             {who: public, limit: guessing},
	"POST /api/v1/account/guardian/consent":                          {who: public, limit: guessing},
	"POST /api/v1/account/logout":                                    {who: own, limit: calling},
	"GET /api/Account/GetUserInfoById/:id":                           {who: own, limit: calling},
	"POST /api/Account/ChangePassword":                               {who: own, limit: proving},
	"POST /api/Account/ChangeAvatar":                                 {who: own, limit: calling},
	"POST /api/Account/UpdateUserInfo":                               {who: own, limit: calling},
	"POST /api/Account/UpdateUserSettings":                           {who: own, limit: calling},
	"POST /api/Account/SaveUtilityBill":                              {who: own, limit: calling},
	"POST /api/Account/SaveBankStatement":                            {who: own, limit: calling},
	"POST /api/Account/SaveOfferLetter":                              {who: own, limit: calling},
	"POST /api/file/profile":                                         {who: own, limit: costly},
	"GET /api/v1/files/:id":                                          {who: own, limit: calling},
	"GET /api/v1/account/sessions":                                   {who: own, limit: calling},
	"DELETE /api/v1/account/sessions":                                {who: own, limit: calling},
	"DELETE /api/v1/account/sessions/:id":                            {who: own, limit: calling},
	"POST /api/v1/account/step-up":                                   {who: own, limit: proving},
	"GET /api/v1/account/totp":                                       {who: own, limit: calling},
	"POST /api/v1/account/totp":                                      {who: own, limit: calling},
	"DELETE /api/v1/account/totp":                                    {who: own, limit: calling},
	"POST /api/v1/account/totp/confirm":                              {who: own, limit: proving},
	"POST /api/v1/account/totp/recovery-codes":                       {who: own, limit: calling},
	"POST /api/v1/account/email":                                     {who: own, limit: asking},
	"POST /api/v1/account/guardian":                                  {who: own, limit: asking},
	"GET /api/v1/account/export":                                     {who: own, limit: costly},
	"POST /api/v1/account/close":                                     {who: own, limit: costly},
	"POST /api/Payment/bvn-look-up":                                  {who: own, limit: costly},
	"POST /api/v1/payment/name-enquiry":                              {who: own, limit: costly},
	"GET /api/Payment/getbanks":                                      {who: public, limit: browsing},
	"GET /api/Payment/vfd-banks":                                     {who: public, limit: browsing},
	"GET /api/Utility/GetGenders":                                    {who: public, limit: browsing},
	"GET /api/Utility/GetMonths":                                     {who: public, limit: browsing},
	"GET /api/Utility/GetStates":                                     {who: public, limit: browsing},
	"GET /api/Utility/GetPaymentCategoryTypes":                       {who: public, limit: browsing},
	"GET /api/Utility/GetPaymentFrequencies":                         {who: public, limit: browsing},
	"GET /api/Utility/GetFaqs":                                       {who: public, limit: browsing},
	"GET /api/Utility/GetYears":                                      {who: public, limit: browsing},
	"GET /api/Utility/GetFeeTypes":                                   {who: public, limit: browsing},
	"GET /api/Utility/GetAjoTypes":                                   {who: public, limit: browsing},
	"GET /api/Utility/GetPaymentChannels":                            {who: public, limit: browsing},
	"GET /api/Ledger/checkpoint":                                     {who: public, limit: browsing},
	"GET /api/Ledger/keys":                                           {who: public, limit: browsing},
	"GET /api/Ledger/epochs":                                         {who: public, limit: browsing},
	"GET /api/Ledger/consistency":                                    {who: public, limit: browsing},
	"POST /api/v1/webhooks/paystack":                                 {who: public}, // Signed, and from a few addresses.
	"POST /api/v1/webhooks/vfd/:secret":                              {who: public},
	"POST /api/Wallet/FundWalletVfd":                                 {who: own, limit: calling},
	"GET /api/Wallet/GetWalletBalance/":                              {who: own, limit: calling},
	"GET /api/Wallet/get-user-balance":                               {who: own, limit: calling},
	"GET /api/Wallet/GetUserWalletTransactions":                      {who: own, limit: calling},
	"GET /api/v1/wallet/open-payments":                               {who: own, limit: calling},
	"POST /api/Payment/verifyFirstTransaction":                       {who: own, limit: calling},
	"GET /api/v1/payment/quote":                                      {who: own, limit: calling},
	"POST /api/Payment/generate-reference":                           {who: own, limit: calling},
	"POST /api/Payment/make-payment":                                 {who: own, limit: calling},
	"GET /api/Payment/verify-transaction/:reference":                 {who: own, limit: calling},
	"GET /api/v1/wallet/limits":                                      {who: own, limit: calling},
	"POST /api/v1/wallet/withdrawals/quote":                          {who: own, limit: costly},
	"GET /api/v1/wallet/withdrawals":                                 {who: own, limit: calling},
	"POST /api/v1/wallet/withdrawals":                                {who: own, limit: calling},
	"GET /api/v1/wallet/withdrawals/:id":                             {who: own, limit: calling},
	"GET /api/v1/wallet/cards":                                       {who: own, limit: calling},
	"DELETE /api/v1/wallet/cards/:id":                                {who: own, limit: calling},
	"GET /api/v1/wallet/standing-orders":                             {who: own, limit: calling},
	"POST /api/v1/wallet/standing-orders":                            {who: own, limit: calling},
	"POST /api/v1/wallet/standing-orders/:id/pause":                  {who: own, limit: calling},
	"POST /api/v1/wallet/standing-orders/:id/resume":                 {who: own, limit: calling},
	"DELETE /api/v1/wallet/standing-orders/:id":                      {who: own, limit: calling},
	"GET /api/v1/activity/months":                                    {who: own, limit: calling},
	"GET /api/v1/activity/export.csv":                                {who: own, limit: costly},
	"GET /api/v1/activity/statement.pdf":                             {who: own, limit: costly},
	"GET /api/v1/statements/:code":                                   {who: public, limit: guessing},
	"GET /api/v1/activity/:id/receipt":                               {who: own, limit: calling},
	"GET /api/v1/activity/:id/receipt-file":                          {who: own, limit: costly},
	"GET /api/v1/reserves":                                           {who: own, limit: calling},
	"GET /api/v1/finance/unmatched":                                  {who: finance, limit: calling},
	"POST /api/v1/finance/unmatched/:id/propose":                     {who: finance, limit: calling},
	"POST /api/v1/finance/unmatched/:id/decide":                      {who: finance, limit: calling},
	"POST /api/v1/finance/unmatched/:id/settle":                      {who: finance, limit: calling},
	"GET /api/v1/finance/reconciliations":                            {who: finance, limit: calling},
	"POST /api/v1/finance/reconciliations":                           {who: finance, limit: costly},
	"GET /api/v1/finance/reconciliations/:id":                        {who: finance, limit: calling},
	"GET /api/v1/finance/payouts":                                    {who: finance, limit: calling},
	"POST /api/v1/finance/payouts/:id/query":                         {who: finance, limit: costly},
	"POST /api/v1/finance/members/look-up":                           {who: finance, limit: costly},
	"POST /api/v1/finance/members/tier":                              {who: finance, limit: costly},
	"GET /api/v1/dashboard":                                          {who: own, limit: calling},
	"GET /api/v1/activity":                                           {who: own, limit: calling},
	"GET /api/v1/activity/:id":                                       {who: own, limit: calling},
	"GET /api/Notification/all":                                      {who: own, limit: calling},
	"PATCH /api/Notification/all":                                    {who: own, limit: calling},
	"DELETE /api/Notification/all":                                   {who: own, limit: calling},
	"GET /api/Notification/:id":                                      {who: own, limit: calling},
	"PATCH /api/Notification/:id":                                    {who: own, limit: calling},
	"GET /api/live":                                                  {who: own, limit: calling, stream: true},
	"POST /api/GroupSavings/CreateGroupSavings":                      {who: own, limit: calling},
	"GET /api/GroupSavings/GetUserGroupSavings/:id":                  {who: own, limit: calling},
	"GET /api/v1/savings/search":                                     {who: glimpse, limit: calling},
	"GET /api/v1/savings/invitations/:id":                            {who: link, limit: browsing, recognise: true},
	"POST /api/GroupSavings/JoinGroupSavings":                        {who: own, limit: calling},
	"GET /api/GroupSavings/GetGroupSavingsInfo/:id":                  {who: members, limit: calling},
	"GET /api/GroupSavings/GetGroupSubAccounts/:id":                  {who: members, limit: calling},
	"POST /api/GroupSavings/SubAccountPaymentVfd":                    {who: members, limit: calling},
	"POST /api/Wallet/make-payment-with-wallet":                      {who: members, limit: calling},
	"POST /api/v1/wallet/make-payments-with-wallet":                  {who: members, limit: calling},
	"POST /api/GroupSavings/CreateSubAccount":                        {who: approvers, limit: calling},
	"PATCH /api/GroupSavings/ApproveGroupMember":                     {who: approvers, limit: calling},
	"PATCH /api/GroupSavings/SetGroupValidator":                      {who: approvers, limit: calling},
	"POST /api/GroupSavings/AddGroupMember":                          {who: approvers, limit: asking},
	"POST /api/GroupSavings/SendSavingsInvitationLink":               {who: approvers, limit: asking},
	"PATCH /api/GroupSavings/DeactivateGroupMember":                  {who: approvers, limit: calling},
	"GET /api/GroupSavings/pending-group-savings/:id":                {who: officials, limit: calling},
	"GET /api/GroupSavings/inactive/:id":                             {who: officials, limit: calling},
	"POST /api/GroupSavings/save-group-document":                     {who: officials, limit: costly},
	"GET /api/GroupSavings/get-group-documents/:id":                  {who: members, limit: calling},
	"GET /api/v1/savings/documents":                                  {who: own, limit: calling},
	"DELETE /api/v1/savings/documents/:id":                           {who: approvers, limit: calling},
	"POST /api/GroupSavings/update-balance-display":                  {who: ownerOnly, limit: calling},
	"POST /api/v1/savings/groups/:id/search-view":                    {who: ownerOnly, limit: calling},
	"POST /api/GroupSavings/sub-account/update-balance-display":      {who: ownerOnly, limit: calling},
	"GET /api/GroupSavings/GetGroupDetails/:id":                      {who: members, limit: calling},
	"POST /api/v1/savings/members/reject":                            {who: approvers, limit: calling},
	"POST /api/v1/savings/members/bulk":                              {who: approvers, limit: costly},
	"POST /api/v1/savings/invitations/:id/accept":                    {who: own, limit: calling},
	"POST /api/v1/savings/invitations/:id/decline":                   {who: own, limit: calling},
	"GET /api/v1/savings/groups/:id/leaving":                         {who: members, limit: calling},
	"POST /api/v1/savings/groups/:id/leave":                          {who: members, limit: calling},
	"POST /api/v1/savings/groups/:id/approvers":                      {who: ownerOnly, limit: calling},
	"DELETE /api/v1/savings/groups/:id/approvers/:member":            {who: approvers, limit: calling},
	"POST /api/v1/savings/groups/:id/ownership/offer":                {who: ownerOnly, limit: calling},
	"POST /api/v1/savings/groups/:id/ownership/answer":               {who: approvers, limit: calling},
	"POST /api/v1/savings/groups/:id/succession":                     {who: approvers, limit: calling},
	"POST /api/v1/savings/groups/:id/succession/vote":                {who: officials, limit: calling},
	"POST /api/v1/savings/groups/:id/cancel":                         {who: ownerOnly, limit: calling},
	"POST /api/v1/savings/groups/:id/close":                          {who: ownerOnly, limit: calling},
	"POST /api/Operator/groups/:id/suspend":                          {who: admins, limit: calling},
	"POST /api/Operator/groups/:id/resume":                           {who: admins, limit: calling},
	"POST /api/Operator/groups/:id/reject":                           {who: admins, limit: calling},
	"GET /api/GroupSavings/member-savings/:id":                       {who: members, limit: calling},
	"GET /api/GroupSavings/user-unsettled-payments/:a/:b":            {who: members, limit: calling},
	"GET /api/v1/savings/groups/:id/unsettled":                       {who: officials, limit: calling},
	"POST /api/GroupSavings/savings-payment-history":                 {who: members, limit: calling},
	"GET /api/GroupSavings/savings-payment-history-admin/:id":        {who: officials, limit: calling},
	"GET /api/GroupSavings/sub-account/:a/:b":                        {who: members, limit: calling},
	"GET /api/v1/savings/groups/:id/grid":                            {who: officials, limit: calling},
	"GET /api/v1/savings/groups/:id/charts":                          {who: members, limit: calling},
	"GET /api/v1/savings/groups/:id/waivers":                         {who: officials, limit: calling},
	"POST /api/v1/savings/waivers":                                   {who: approvers, limit: calling},
	"POST /api/v1/savings/waivers/:id/decide":                        {who: officials, limit: calling},
	"GET /api/v1/savings/cover":                                      {who: members, limit: calling},
	"POST /api/v1/savings/cover":                                     {who: members, limit: calling},
	"POST /api/v1/savings/groups/:id/remind":                         {who: officials, limit: costly},
	"GET /api/v1/savings/groups/:id/book.csv":                        {who: officials, limit: costly},
	"GET /api/v1/savings/groups/:id/book.pdf":                        {who: officials, limit: costly},
	"POST /api/GroupSavings/group-savings-liquidation-vfd":           {who: members, limit: calling},
	"POST /api/v1/savings/liquidations/quote":                        {who: members, limit: costly},
	"GET /api/GroupSavings/validate-liquidation-request/:a/:b/:c":    {who: officials, limit: calling},
	"POST /api/GroupSavings/validate-liquidation-request/:a/:b/:c":   {who: officials, limit: calling},
	"GET /api/GroupSavings/get-savings-liquidation-request-list/:id": {who: members, limit: calling},
	"GET /api/v1/savings/liquidations/:id":                           {who: members, limit: calling},
	"POST /api/v1/savings/liquidations/:id/cancel":                   {who: members, limit: calling},
	"POST /api/v1/savings/liquidations/:id/object":                   {who: members, limit: calling},
	"POST /api/v1/savings/liquidations/:id/answer":                   {who: approvers, limit: calling},
	"POST /api/v1/savings/groups/:id/notice":                         {who: ownerOnly, limit: calling},
	"POST /api/v1/savings/liquidations/:id/retry":                    {who: approvers, limit: calling},
	"POST /api/v1/savings/liquidations/:id/release":                  {who: approvers, limit: calling},
	"GET /api/v1/savings/groups/:id/audit":                           {who: officials, limit: calling},
	"POST /api/v1/savings/groups/:id/audit":                          {who: officials, limit: costly},
	"GET /api/v1/savings/groups/:id/audit.csv":                       {who: officials, limit: costly},
	"GET /api/Operator/projections":                                  {who: lookOn, limit: calling},
	"GET /api/Operator/checks":                                       {who: lookOn, limit: calling},
	"GET /api/Operator/letters":                                      {who: lookOn, limit: calling},
	"POST /api/Operator/letters/retry":                               {who: admins, limit: calling},
	"GET /api/Operator/dead-letters":                                 {who: lookOn, limit: calling},
	"POST /api/Operator/projections/:name/retry":                     {who: admins, limit: calling},
	"POST /api/Operator/projections/:name/rebuild":                   {who: admins, limit: calling},
}

// of is the verdict about a kind, by its place in Kinds.
func (w who) of(kind int) Verdict { return Verdict(strings.ReplaceAll(string(w), " ", "")[kind]) }

// staffRoles are the roles that open a call which is closed to everybody else, or nil.
func (w who) staffRoles() []string {
	for kind := range Kinds[:6] {
		if w.of(kind) != Deny {
			return nil
		}
	}
	var roles []string
	for n, role := range []string{people.RoleSupport, people.RoleFinanceOps, people.RoleAdmin} {
		if w.of(6+n) != Deny {
			roles = append(roles, role)
		}
	}
	return roles
}

// permissionOf is the row of a route; none is a mistake of ours that stops the start.
func permissionOf(route string) permission {
	row, ok := permissions[route]
	if !ok {
		panic(fmt.Sprintf("httpapi: %s has no row in permissions: say who may call it", route))
	}
	return row
}

// Permission is a row of the table, for whoever tests it.
type Permission struct {
	Method, Path string // The path with :names.
	Verdicts     map[string]Verdict
}

// Permissions is the whole table, in the order of its routes.
func Permissions() []Permission {
	var all []Permission
	for route, row := range permissions {
		method, path, _ := strings.Cut(route, " ")
		p := Permission{Method: method, Path: path, Verdicts: make(map[string]Verdict, len(Kinds))}
		for n, kind := range Kinds {
			p.Verdicts[kind] = row.who.of(n)
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Permission) int { return strings.Compare(a.Path+a.Method, b.Path+b.Method) })
	return all
}
