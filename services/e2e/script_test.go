package e2e

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
)

func TestAPersonWhoseNameIsInAnotherScriptIsAMemberAsAnyOther(t *testing.T) {
	t.Parallel()
	i := product(t)
	p := &person{TB: t, base: i.Address, email: "amina-in-arabic@example.com"}
	_, err := i.People.CreateVerified(context.Background(), people.Registration{
		Email: p.email, Password: password, FirstName: "أمينة", LastName: "بلو", Phone: "08031234567", DateOfBirth: "1990-01-01",
	})
	require.NoError(t, err)
	p.logIn()
	at, err := i.Bank.AddPerson(context.Background(), sandbox.Person{FirstName: "أمينة", LastName: "بلو", BankCode: "082"})
	require.NoError(t, err)
	p.verified(at)
	group := p.founds("Market women")
	followed(t, i)
	details := must[object](p, "GET", details+group, nil)
	require.Equal(t, "Market women", details["group"].(object)["name"])
	owner := details["officials"].([]any)[0].(object)
	require.Equal(t, []any{"أمينة", "بلو"}, []any{owner["firstName"], owner["lastName"]})
}
