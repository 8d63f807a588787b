ALTER TABLE rm_entries ADD PRIMARY KEY (account, pos, n);
