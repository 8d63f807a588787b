package httpapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
)

func TestDecodeReadsTheContract(t *testing.T) {
	t.Parallel()
	payment, err := Decode[contract.WalletPaymentRequest]([]byte(`{"amount": 5177.67, "subAccountId": "s\\u0000", "monthId": 11, "userId": "u"} `))
	require.NoError(t, err)
	require.Equal(t, "5177.67", payment.Amount.StringFixed(2))
	require.Equal(t, 11, *payment.MonthId)
	absent, err := Decode[contract.WalletPaymentRequest]([]byte(`{"amount": 1, "subAccountId": "s", "monthId": null, "userId": "u"}`))
	require.NoError(t, err)
	require.Nil(t, absent.MonthId)
}

func TestDecodeRefusesAndNamesTheField(t *testing.T) {
	t.Parallel()
	const rest = `, "subAccountId": "s", "userId": "u"}`
	for _, c := range []struct{ body, field, says string }{
		{`{"amount": 1, "subAccountId": "s"}`, "userId", "missing"},
		{`{"amount": 1, "userId": null, "subAccountId": "s"}`, "userId", "empty"},
		{`{"amount": 1, "colour": "red"` + rest, "colour", "not a field"},
		{`{"amount": 1, "Amount": 2` + rest, "Amount", "not a field"},
		{`{"amount": 1, "amount": 2` + rest, "amount", "twice"},
		{`{"amount": "1"` + rest, "amount", "naira"},
		{`{"amount": -1` + rest, "amount", "naira"},
		{`{"amount": 1e3` + rest, "amount", "naira"},
		{`{"amount": 1.234` + rest, "amount", "two decimals"},
		{`{"amount": 99999999999999999999` + rest, "amount", "naira"},
		{`{"amount": {}` + rest, "amount", "naira"},
		{`{"amount": 1, "monthId": 1.5` + rest, "monthId", "whole number"},
		{`{"amount": 1, "monthId": 1e1` + rest, "monthId", "whole number"},
		{`{"amount": 1, "monthId": -1` + rest, "monthId", "whole number"},
		{`{"amount": 1, "monthId": "1"` + rest, "monthId", "whole number"},
		{`{"amount": 1, "monthId": 99999999999999999999` + rest, "monthId", "whole number"},
		{`{"amount": 1, "subAccountId": 5, "userId": "u"}`, "subAccountId", "text"},
		{`{"amount": 1, "subAccountId": ["s"], "userId": "u"}`, "subAccountId", "text"},
		{`{"amount": 1, "subAccountId": "a\u0000b", "userId": "u"}`, "subAccountId", "cannot be stored"},
		{`{"amount": 1` + rest + `{}`, "", "not valid JSON"},
		{`{"amount": 1` + rest + ` x`, "", "not valid JSON"},
		{"{\"amount\": 1, \"subAccountId\": \"\xff\", \"userId\": \"u\"}", "", "not valid JSON"},
		{`{"amount": 01` + rest, "", "not valid JSON"},
		{`[]`, "", "JSON object"},
		{`null`, "", "JSON object"},
		{`"x"`, "", "JSON object"},
		{``, "", "not valid JSON"},
		{`{`, "", "not valid JSON"},
		{strings.Repeat("[", 17), "", "deeply"},
	} {
		t.Run(c.body, func(t *testing.T) {
			t.Parallel()
			_, err := Decode[contract.WalletPaymentRequest]([]byte(c.body))
			refusal := fault.As(err)
			require.NotNil(t, refusal, "%v", err)
			require.Equal(t, fault.Invalid, refusal.Code)
			require.Equal(t, c.field, refusal.Field)
			require.Contains(t, refusal.Message, c.says)
			require.NotContains(t, refusal.Message, "Go ")
		})
	}
}

func TestDecodeRefusesUnknownEnumsAndWrongBooleans(t *testing.T) {
	t.Parallel()
	_, err := Decode[contract.FundWalletRequest]([]byte(`{"amount": 1, "email": "a@b.co", "channel": "CASH"}`))
	require.Equal(t, "channel", fault.As(err).Field)
	_, err = Decode[contract.FundWalletRequest]([]byte(`{"amount": 1, "email": "a@b.co", "channel": "CARD"}`))
	require.NoError(t, err)
	_, err = Decode[contract.CreateGroupRequest]([]byte(`{"name":"n","amount":1,"memberCapacity":2,"startMonthId":1,"userEmail":"e","showTotalBalance":"yes"}`))
	require.Equal(t, "showTotalBalance", fault.As(err).Field)
}

func TestDecodeRefusesANULWhereverItIs(t *testing.T) {
	t.Parallel()
	for _, ids := range []string{`["a", "b\u0000c"]`, `["\u0000"]`, `[["\u0000"]]`, `[{"a": "\u0000"}]`, `[{"\u0000": 1}]`} {
		_, err := Decode[contract.BulkMembersRequest]([]byte(`{"groupId": "g", "action": "APPROVE", "memberIds": ` + ids + `}`))
		require.True(t, fault.Is(err, fault.Invalid), "%s: %v", ids, err)
		require.Equal(t, "memberIds", fault.As(err).Field)
		require.Contains(t, fault.As(err).Message, "cannot be stored")
	}
	written, err := Decode[contract.BulkMembersRequest]([]byte(`{"groupId": "g", "action": "APPROVE", "memberIds": ["a\\u0000"]}`))
	require.NoError(t, err)
	require.Equal(t, []string{`a\u0000`}, written.MemberIds)
}

func TestDecodeRefusesTooMuch(t *testing.T) {
	t.Parallel()
	_, err := Decode[contract.GetTokenRequest]([]byte(`{"email":"` + strings.Repeat("a", bodyBytesMax) + `","password":"p"}`))
	require.True(t, fault.Is(err, fault.TooLarge))
}

// FuzzBind: any bytes result in a value that equals the standard decoder's, or in a fault, and never in a panic.
func FuzzBind(f *testing.F) {
	for _, seed := range []string{
		`{"amount": 5177.67, "subAccountId": "s", "monthId": 11, "userId": "u"}`, `{"amount":1,"amount":1}`, `{"a\u0000":{"b":[1]}}`,
		`{"amount":1e9,"subAccountId":"\ud800","userId":null}`, "\xff", `[[[[[[[[[[[[[[[[[[[`, `{"amount":"1"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		payment, err := Decode[contract.WalletPaymentRequest](body)
		if err != nil {
			require.NotNil(t, fault.As(err), "%v", err)
			return
		}
		var plain contract.WalletPaymentRequest
		require.NoError(t, json.Unmarshal(body, &plain))
		require.True(t, reflect.DeepEqual(plain.UserId, payment.UserId) && plain.Amount.Equal(payment.Amount.Decimal))
	})
}

func TestARequestMayHaveAnyNumberOfFields(t *testing.T) {
	t.Parallel()
	const many = 70
	fields, body := make([]reflect.StructField, many), "{"
	for n := range many {
		fields[n] = reflect.StructField{Name: fmt.Sprintf("F%d", n), Type: reflect.TypeFor[string](), Tag: reflect.StructTag(fmt.Sprintf(`json:"f%d"`, n))}
		body += fmt.Sprintf(`"f%d": "x",`, n)
	}
	known := schemaOf(reflect.StructOf(fields))
	require.NoError(t, inspect([]byte(strings.TrimSuffix(body, ",")+"}"), known))
	for _, missing := range []int{0, 5, 63, 64, 69} {
		without := strings.Replace(body, fmt.Sprintf(`"f%d": "x",`, missing), "", 1)
		err := inspect([]byte(strings.TrimSuffix(without, ",")+"}"), known)
		require.Equal(t, fmt.Sprintf("f%d", missing), fault.As(err).Field, "field %d is asked for", missing)
	}
}
