ALTER TABLE rm_trail ADD PRIMARY KEY (subject, mark);
