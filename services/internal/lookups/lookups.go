// Package lookups are fixed lists whose ids never change their meaning.
package lookups

import (
	"slices"
	"strconv"
	"time"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/lagos"
)

// Name answers the name of an id in a list, and whether it is there.
func Name(list []contract.LookupValue, id string) (string, bool) {
	at := slices.IndexFunc(list, func(v contract.LookupValue) bool { return v.Id == id })
	if at < 0 {
		return "", false
	}
	return list[at].Name, true
}

type values = []contract.LookupValue

// Genders are the genders that an account may state.
var Genders = values{{Id: "MALE", Name: "Male"}, {Id: "FEMALE", Name: "Female"}}

// Months have the ids "1" to "12".
var Months = func() values {
	var list values
	for month := time.January; month <= time.December; month++ {
		list = append(list, contract.LookupValue{Id: strconv.Itoa(int(month)), Name: month.String()})
	}
	return list
}()

// Categories are what a payment may be for.
var Categories = values{
	{Id: "CONTRIBUTION", Name: "Contribution"},
	{Id: "DUES", Name: "Dues"},
	{Id: "LEVY", Name: "Levy"},
	{Id: "WELFARE", Name: "Welfare"},
	{Id: "PROJECT", Name: "Project"},
	{Id: "FINE", Name: "Fine"},
	{Id: "DONATION", Name: "Donation"},
}

// Frequencies are how often dues fall; ids are the contract's PaymentFrequency.
var Frequencies = values{
	{Id: "ONE_TIME", Name: "One time"},
	{Id: "DAILY", Name: "Daily"},
	{Id: "WEEKLY", Name: "Weekly"},
	{Id: "BIWEEKLY", Name: "Every two weeks"},
	{Id: "MONTHLY", Name: "Monthly"},
	{Id: "QUARTERLY", Name: "Quarterly"},
	{Id: "YEARLY", Name: "Yearly"},
}

// States are the 36 states and the Federal Capital Territory. They carry their ISO 3166-2 codes as ids.
var States = values{
	{Id: "NG-AB", Name: "Abia"},
	{Id: "NG-AD", Name: "Adamawa"},
	{Id: "NG-AK", Name: "Akwa Ibom"},
	{Id: "NG-AN", Name: "Anambra"},
	{Id: "NG-BA", Name: "Bauchi"},
	{Id: "NG-BY", Name: "Bayelsa"},
	{Id: "NG-BE", Name: "Benue"},
	{Id: "NG-BO", Name: "Borno"},
	{Id: "NG-CR", Name: "Cross River"},
	{Id: "NG-DE", Name: "Delta"},
	{Id: "NG-EB", Name: "Ebonyi"},
	{Id: "NG-ED", Name: "Edo"},
	{Id: "NG-EK", Name: "Ekiti"},
	{Id: "NG-EN", Name: "Enugu"},
	{Id: "NG-FC", Name: "Federal Capital Territory"},
	{Id: "NG-GO", Name: "Gombe"},
	{Id: "NG-IM", Name: "Imo"},
	{Id: "NG-JI", Name: "Jigawa"},
	{Id: "NG-KD", Name: "Kaduna"},
	{Id: "NG-KN", Name: "Kano"},
	{Id: "NG-KT", Name: "Katsina"},
	{Id: "NG-KE", Name: "Kebbi"},
	{Id: "NG-KO", Name: "Kogi"},
	{Id: "NG-KW", Name: "Kwara"},
	{Id: "NG-LA", Name: "Lagos"},
	{Id: "NG-NA", Name: "Nasarawa"},
	{Id: "NG-NI", Name: "Niger"},
	{Id: "NG-OG", Name: "Ogun"},
	{Id: "NG-ON", Name: "Ondo"},
	{Id: "NG-OS", Name: "Osun"},
	{Id: "NG-OY", Name: "Oyo"},
	{Id: "NG-PL", Name: "Plateau"},
	{Id: "NG-RI", Name: "Rivers"},
	{Id: "NG-SO", Name: "Sokoto"},
	{Id: "NG-TA", Name: "Taraba"},
	{Id: "NG-YO", Name: "Yobe"},
	{Id: "NG-ZA", Name: "Zamfara"},
}

// FeeTypes are how a fee is reckoned.
var FeeTypes = values{{Id: "FLAT", Name: "Flat"}, {Id: "PERCENT", Name: "Percentage"}, {Id: "PERCENT_CAPPED", Name: "Percentage, capped"}}

// AjoTypes are the kinds of rotating savings.
var AjoTypes = values{{Id: "GROUP", Name: "Group Ajo"}, {Id: "INDIVIDUAL", Name: "Individual Ajo"}}

// Channels are how a payment may be made.
var Channels = values{{Id: "BANK_TRANSFER", Name: "Bank transfer"}, {Id: "CARD", Name: "Card"}, {Id: "WALLET", Name: "Wallet"}}

// yearsBack and yearsAhead are how far Years reaches from this one.
const (
	yearsBack  = 5
	yearsAhead = 5
)

// Years are those that dues and statements may be about, the latest first.
func Years(now time.Time) []contract.LookupValue {
	this := now.In(lagos.Zone).Year()
	var list values
	for year := this + yearsAhead; year >= this-yearsBack; year-- {
		list = append(list, contract.LookupValue{Id: strconv.Itoa(year), Name: strconv.Itoa(year)})
	}
	return list
}
