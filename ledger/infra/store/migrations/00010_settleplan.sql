-- +goose Up

-- Whoever appends has each statement planned once. How many accounts an append leaves to be settled differs from time to
-- time, and a plan from when there were few accounts would go through all of them for each.
ALTER FUNCTION ledger_settle() SET plan_cache_mode = force_custom_plan;
