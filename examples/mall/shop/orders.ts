import { type Shop, ShopError } from './shop.ts'

export const orderStatuses = ['placed', 'paid', 'shipped', 'delivered', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export interface OrderSummary {
  orderId: string
  customerId: string
  status: OrderStatus
  region: string
  day: string
  total: number
}

const summaries = `
  SELECT order_id AS orderId, customer_id AS customerId, status, region, day,
    (SELECT SUM(quantity * cents) / 100.0 FROM order_items i WHERE i.order_id = o.order_id) AS total
  FROM orders o`

/** One order with its lines and notes. */
export function getOrder(shop: Shop, orderId: string) {
  const order = shop.prepare(`${summaries} WHERE order_id = ?`).get(orderId)
  if (!order)
    throw new ShopError(`There is no order ${orderId}. Use mall4j.order.list to find one.`)
  const items = shop.prepare(
    `SELECT product_id AS productId, name, quantity, i.cents / 100.0 AS price
    FROM order_items i JOIN products USING (product_id) WHERE order_id = ? ORDER BY line`,
  )
  const notes = shop.prepare('SELECT text FROM order_notes WHERE order_id = ? ORDER BY note_id')
  return {
    ...(order as unknown as OrderSummary),
    items: items.all(orderId).map((item) => ({ ...item })) as unknown as OrderItem[],
    notes: notes.all(orderId).map(({ text }) => String(text)),
  }
}

export interface OrderItem {
  productId: string
  name: string
  quantity: number
  price: number
}

export interface OrderQuery {
  customerId?: string | undefined
  status?: OrderStatus | undefined
  limit: number
  cursor?: string | undefined
}

/** Orders, newest first. The cursor is the last order of the page before. */
export function listOrders(shop: Shop, { customerId, status, limit, cursor }: OrderQuery) {
  const rows = shop
    .prepare(
      `${summaries} WHERE customer_id = coalesce(?, customer_id) AND status = coalesce(?, status)
      AND order_id < coalesce(?, 'order-9999') ORDER BY order_id DESC LIMIT ?`,
    )
    .all(customerId ?? null, status ?? null, cursor ?? null, limit + 1)
  const orders = rows.slice(0, limit).map((row) => ({ ...row }) as unknown as OrderSummary)
  const last = rows.length > limit ? orders.at(-1) : undefined
  return { orders, nextCursor: last?.orderId ?? null }
}

/** An order that is cancelled already stays so: to cancel twice is to cancel once. */
export function cancelOrder(shop: Shop, orderId: string): { orderId: string; status: OrderStatus } {
  const { status } = getOrder(shop, orderId)
  if (status === 'shipped' || status === 'delivered') {
    throw new ShopError(`${orderId} is ${status} and can no longer be cancelled.`)
  }
  shop.prepare("UPDATE orders SET status = 'cancelled' WHERE order_id = ?").run(orderId)
  return { orderId, status: 'cancelled' }
}

/** Adds a note; the same text twice is two notes. */
export function addNote(shop: Shop, orderId: string, text: string) {
  getOrder(shop, orderId)
  shop.prepare('INSERT INTO order_notes (order_id, text) VALUES (?, ?)').run(orderId, text)
  return { orderId, notes: getOrder(shop, orderId).notes }
}
