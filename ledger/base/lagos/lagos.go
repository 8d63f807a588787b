// Package lagos is Adashi's calendar: days, months and due dates are those of Lagos. Nigeria has kept UTC+1 all year
// since 1919, so the zone is fixed and no time zone database is needed.
package lagos

import "time"

// Zone is the time zone of Lagos, West Africa Time.
var Zone = time.FixedZone("WAT", 60*60)

// Day is the day of a moment in Lagos, as YYYY-MM-DD.
func Day(at time.Time) string { return at.In(Zone).Format(time.DateOnly) }

// Month is the month of a moment in Lagos, as YYYY-MM.
func Month(at time.Time) string { return at.In(Zone).Format("2006-01") }

// Date is the day of a moment in Lagos as people read it: 2 January 2006.
func Date(at time.Time) string { return at.In(Zone).Format("2 January 2006") }

// Clock is a moment in Lagos as people read it: 2 January 2006, 15:04.
func Clock(at time.Time) string { return at.In(Zone).Format("2 January 2006, 15:04") }
