import { DatabaseSync } from 'node:sqlite'
import { seed } from './seed.ts'

/** A failure that the caller of a tool is told in words: no such order, an order that has left. */
export class ShopError extends Error {}

/** The database of the shop. Amounts are kept in cents, days as text (2026-01-31). */
export type Shop = DatabaseSync

const tables = `
  CREATE TABLE products (
    product_id TEXT PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, cents INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE stock (
    product_id TEXT NOT NULL REFERENCES products, warehouse TEXT NOT NULL,
    quantity INTEGER NOT NULL, PRIMARY KEY (product_id, warehouse)
  ) STRICT;
  CREATE TABLE orders (
    order_id TEXT PRIMARY KEY, customer_id TEXT NOT NULL, status TEXT NOT NULL,
    region TEXT NOT NULL, day TEXT NOT NULL
  ) STRICT;
  CREATE TABLE order_items (
    order_id TEXT NOT NULL REFERENCES orders, line INTEGER NOT NULL,
    product_id TEXT NOT NULL REFERENCES products, quantity INTEGER NOT NULL, cents INTEGER NOT NULL,
    PRIMARY KEY (order_id, line)
  ) STRICT;
  CREATE TABLE order_notes (
    note_id INTEGER PRIMARY KEY, order_id TEXT NOT NULL REFERENCES orders, text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX orders_by_customer ON orders (customer_id, order_id);
`

/**
 * Opens the shop in memory or in a file. An empty database is filled, always with the same goods
 * and orders; one that is filled already is used as it is.
 */
export function openShop(path = ':memory:'): Shop {
  const shop = new DatabaseSync(path)
  const found = shop.prepare("SELECT 1 FROM sqlite_master WHERE name = 'orders'").get()
  if (found) return shop
  shop.exec(`BEGIN; ${tables}`)
  seed(shop)
  shop.exec('COMMIT')
  return shop
}
