// Package utility is the API's look-ups: fixed lists whose ids never change their meaning.
package utility

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"
	"adashi.ng/services/internal/httpapi"
)

// Utility is the look-up part of the API.
type Utility struct{}

// GetGenders is GET /api/Utility/GetGenders.
func (Utility) GetGenders(c *echo.Context) error { return httpapi.OK(c, genders) }

// GetMonths is GET /api/Utility/GetMonths: ids "1" to "12".
func (Utility) GetMonths(c *echo.Context) error { return httpapi.OK(c, months) }

// GetStates is GET /api/Utility/GetStates: the 36 states and the Federal Capital Territory.
func (Utility) GetStates(c *echo.Context) error { return httpapi.OK(c, states) }

// GetPaymentCategoryTypes is GET /api/Utility/GetPaymentCategoryTypes.
func (Utility) GetPaymentCategoryTypes(c *echo.Context) error { return httpapi.OK(c, categories) }

// GetPaymentFrequencies is GET /api/Utility/GetPaymentFrequencies: ids are the contract's PaymentFrequency.
func (Utility) GetPaymentFrequencies(c *echo.Context) error { return httpapi.OK(c, frequencies) }

type values = []contract.LookupValue

var genders = values{{Id: "MALE", Name: "Male"}, {Id: "FEMALE", Name: "Female"}}

var months = func() values {
	var list values
	for month := time.January; month <= time.December; month++ {
		list = append(list, contract.LookupValue{Id: strconv.Itoa(int(month)), Name: month.String()})
	}
	return list
}()

var categories = values{
	{Id: "CONTRIBUTION", Name: "Contribution"},
	{Id: "DUES", Name: "Dues"},
	{Id: "LEVY", Name: "Levy"},
	{Id: "WELFARE", Name: "Welfare"},
	{Id: "PROJECT", Name: "Project"},
	{Id: "FINE", Name: "Fine"},
	{Id: "DONATION", Name: "Donation"},
}

var frequencies = values{
	{Id: "ONE_TIME", Name: "One time"},
	{Id: "DAILY", Name: "Daily"},
	{Id: "WEEKLY", Name: "Weekly"},
	{Id: "BIWEEKLY", Name: "Every two weeks"},
	{Id: "MONTHLY", Name: "Monthly"},
	{Id: "QUARTERLY", Name: "Quarterly"},
	{Id: "YEARLY", Name: "Yearly"},
}

// states carry their ISO 3166-2 codes as ids.
var states = values{
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
