package ledgertest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// Template is a database that is migrated once a test binary. Each test gets a copy: that takes a tenth of the time.
type Template struct {
	steps []func(context.Context, *pgxpool.Pool) error
	once  sync.Once
	name  string
	err   error
}

// Migrated answers a template that these steps make, in their order.
func Migrated(steps ...func(context.Context, *pgxpool.Pool) error) *Template {
	return &Template{steps: steps}
}

// Pool answers a pool on a fresh copy. Pool and copy end with the test.
func (c *Template) Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	once.Do(start)
	require.NoError(t, failed)
	c.once.Do(c.make)
	require.NoError(t, c.err)
	name := fmt.Sprintf("copy_%d", schemas.Add(1))
	require.NoError(t, asServer("CREATE DATABASE "+name+" TEMPLATE "+c.name+" STRATEGY FILE_COPY"))
	pool, err := open(server.URL(name))
	require.NoError(t, err)
	t.Cleanup(func() {
		pool.Close()
		_ = asServer("DROP DATABASE " + name + " WITH (FORCE)")
	})
	return pool
}

// make makes the database that is copied. Nobody may be connected to it then.
func (c *Template) make() {
	c.name = fmt.Sprintf("template_%d", schemas.Add(1))
	if c.err = asServer("CREATE DATABASE " + c.name); c.err != nil {
		return
	}
	pool, err := open(server.URL(c.name))
	if err != nil {
		c.err = err
		return
	}
	defer pool.Close()
	for _, step := range c.steps {
		if c.err = step(context.Background(), pool); c.err != nil {
			return
		}
	}
}

// asServer runs a statement outside the databases of the tests.
func asServer(sql string) error {
	pool, err := open(server.URL("postgres"))
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.Exec(context.Background(), sql)
	return err
}
