import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { addNote, cancelOrder, getOrder, listOrders, type OrderSummary } from './orders.ts'
import { searchProducts } from './products.ts'
import { reportSales, salesGroups } from './sales.ts'
import { openShop, type Shop } from './shop.ts'

test('two shops are filled alike, with 200 products and 500 orders', () => {
  const [first, second] = [openShop(), openShop()]
  expect(allOrders(first)).toEqual(allOrders(second))
  expect(allOrders(first)).toHaveLength(500)
  expect(searchProducts(first, { keyword: '', limit: 1 }).total).toBe(200)
})

test('pages of a customer and a status hold every order of theirs once, newest first', () => {
  const shop = openShop()
  const query = { customerId: 'customer-007', status: 'delivered' as const }
  const wanted = allOrders(shop).filter(
    ({ customerId, status }) => customerId === query.customerId && status === query.status,
  )
  expect(allOrders(shop, { ...query, limit: 2 })).toEqual(wanted)
  expect(wanted.length).toBeGreaterThan(2)
})

test('every way to group sales gives the same revenue, that of the orders', () => {
  const shop = openShop()
  const sold = allOrders(shop).filter(({ status }) => status !== 'cancelled')
  const revenue = sold.reduce((sum, { total }) => sum + Math.round(total * 100), 0) / 100
  for (const by of salesGroups) expect(reportSales(shop, { by }).revenue).toBe(revenue)
})

test('sales between two days are those of the days', () => {
  const { rows } = reportSales(openShop(), { by: 'day', from: '2026-01-30', to: '2026-02-02' })
  expect(rows.map(({ group }) => group)).toEqual([
    '2026-01-30',
    '2026-01-31',
    '2026-02-01',
    '2026-02-02',
  ])
})

test('an order is cancelled once however often it is asked for, and not after it has left', () => {
  const shop = openShop()
  const withStatus = (status: string) =>
    allOrders(shop).find((order) => order.status === status)?.orderId ?? ''
  const paid = withStatus('paid')
  expect(cancelOrder(shop, paid)).toEqual(cancelOrder(shop, paid))
  expect(getOrder(shop, paid).status).toBe('cancelled')
  expect(() => cancelOrder(shop, withStatus('shipped'))).toThrow('no longer')
})

test('a file keeps what was written', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'mall.db')
  const shop = openShop(path)
  addNote(shop, 'order-0001', 'first')
  shop.close()
  const again = openShop(path)
  expect(addNote(again, 'order-0001', 'second').notes).toEqual(['first', 'second'])
  again.close()
})

function allOrders(shop: Shop, query: Partial<Parameters<typeof listOrders>[1]> = {}) {
  const found: OrderSummary[] = []
  let cursor: string | undefined
  do {
    const page = listOrders(shop, { limit: 100, ...query, cursor })
    found.push(...page.orders)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}
