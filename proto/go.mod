module adashi.ng/proto

go 1.26.0

require (
	github.com/labstack/echo/v5 v5.3.1
	github.com/oapi-codegen/runtime v1.8.0
	github.com/shopspring/decimal v1.6.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	golang.org/x/net v0.61.0 // indirect
)
