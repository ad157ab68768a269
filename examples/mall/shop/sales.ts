import type { Shop } from './shop.ts'

export const salesGroups = ['day', 'category', 'region'] as const
export type SalesGroup = (typeof salesGroups)[number]

export interface SalesRow {
  group: string
  orders: number
  units: number
  revenue: number
}

export interface SalesQuery {
  by: SalesGroup
  /** First and last day, both counted. */
  from?: string | undefined
  to?: string | undefined
}

const columns: Record<SalesGroup, string> = { day: 'day', category: 'category', region: 'region' }

/** What was sold, without what was cancelled. */
export function reportSales(shop: Shop, { by, from, to }: SalesQuery) {
  const rows = shop
    .prepare(
      `SELECT ${columns[by]} AS "group", COUNT(DISTINCT order_id) AS orders,
      SUM(quantity) AS units, SUM(quantity * i.cents) / 100.0 AS revenue
      FROM orders JOIN order_items i USING (order_id) JOIN products USING (product_id)
      WHERE status <> 'cancelled' AND day >= coalesce(?, day) AND day <= coalesce(?, day)
      GROUP BY 1 ORDER BY 1`,
    )
    .all(from ?? null, to ?? null)
  const sales = rows.map((row) => ({ ...row }) as unknown as SalesRow)
  const cents = sales.reduce((sum, { revenue }) => sum + Math.round(revenue * 100), 0)
  return { by, rows: sales, revenue: cents / 100, currency: 'CNY' }
}
