/** Amounts are whole yuan, days are text (2026-06-30), lists of words have tables of their own. */
export const tables = `
  CREATE TABLE generated_data (
    table_name TEXT PRIMARY KEY, row_count INTEGER NOT NULL, seed INTEGER NOT NULL,
    as_of TEXT NOT NULL, note TEXT NOT NULL
  ) STRICT;
  CREATE TABLE users (
    user_id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, phone TEXT NOT NULL,
    email TEXT NOT NULL, city TEXT NOT NULL, created_on TEXT NOT NULL
  ) STRICT;
  CREATE TABLE customers (
    user_id TEXT PRIMARY KEY REFERENCES users, gender TEXT NOT NULL, birth_year INTEGER NOT NULL,
    skin_type TEXT NOT NULL, budget_yuan INTEGER NOT NULL, source TEXT NOT NULL
  ) STRICT;
  CREATE TABLE customer_concerns (
    user_id TEXT NOT NULL REFERENCES customers, concern TEXT NOT NULL, severity INTEGER NOT NULL,
    PRIMARY KEY (user_id, concern)
  ) STRICT;
  CREATE TABLE customer_cautions (
    user_id TEXT NOT NULL REFERENCES customers, caution TEXT NOT NULL,
    PRIMARY KEY (user_id, caution)
  ) STRICT;
  CREATE TABLE services (
    service_id TEXT PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL,
    price_yuan INTEGER NOT NULL, sessions INTEGER NOT NULL, interval_days INTEGER NOT NULL,
    recovery_days INTEGER NOT NULL, minutes INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE service_effects (
    service_id TEXT NOT NULL REFERENCES services, concern TEXT NOT NULL, strength INTEGER NOT NULL,
    PRIMARY KEY (service_id, concern)
  ) STRICT;
  CREATE TABLE service_cautions (
    service_id TEXT NOT NULL REFERENCES services, caution TEXT NOT NULL,
    PRIMARY KEY (service_id, caution)
  ) STRICT;
  CREATE TABLE consultations (
    consultation_id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES customers,
    consultant_id TEXT NOT NULL REFERENCES users, day TEXT NOT NULL, channel TEXT NOT NULL,
    concern TEXT NOT NULL, service_id TEXT NOT NULL REFERENCES services, outcome TEXT NOT NULL
  ) STRICT;
  CREATE TABLE treatments (
    treatment_id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES customers,
    service_id TEXT NOT NULL REFERENCES services, doctor_id TEXT NOT NULL REFERENCES users,
    day TEXT NOT NULL, paid_yuan INTEGER NOT NULL, satisfaction INTEGER
  ) STRICT;
  CREATE TABLE consultation_summaries (
    summary_id INTEGER PRIMARY KEY, consultation_id TEXT NOT NULL REFERENCES consultations,
    summary TEXT NOT NULL, key_points TEXT NOT NULL, next_steps TEXT NOT NULL,
    written_by TEXT NOT NULL, written_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX consultations_by_user ON consultations (user_id, day);
  CREATE INDEX treatments_by_user ON treatments (user_id, day);
  CREATE INDEX treatments_by_service ON treatments (service_id);
  CREATE INDEX summaries_by_consultation ON consultation_summaries (consultation_id);
`
