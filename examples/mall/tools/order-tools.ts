import { z } from 'zod'
import { addNote, cancelOrder, getOrder, listOrders, orderStatuses } from '../shop/orders.ts'
import { createMallTool, reads } from './tool.ts'

const orderId = z.string().min(1).describe('Number of the order, such as order-0042')
const status = z.enum(orderStatuses)

const summary = {
  orderId: z.string(),
  customerId: z.string(),
  status,
  region: z.string(),
  day: z.string().describe('Day of the order, such as 2026-01-31'),
  total: z.number().describe('Sum of all lines, in CNY'),
}

const item = z.object({
  productId: z.string(),
  name: z.string(),
  quantity: z.int(),
  price: z.number(),
})

export const orderTools = [
  createMallTool({
    name: 'mall4j.order.get_detail',
    title: 'Order details',
    description: 'One order: its status, customer, lines with prices, total and notes.',
    input: z.strictObject({ orderId }),
    output: z.object({ ...summary, items: z.array(item), notes: z.array(z.string()) }),
    annotations: reads,
    run: (shop, args) => getOrder(shop, args.orderId),
  }),
  createMallTool({
    name: 'mall4j.order.list',
    title: 'List orders',
    description: 'Orders, newest first, of one customer or status where given; page by page.',
    input: z.strictObject({
      customerId: z.string().optional().describe('Such as customer-007'),
      status: status.optional(),
      limit: z.int().min(1).max(100).default(20),
      cursor: z.string().optional().describe('nextCursor of the page before'),
    }),
    output: z.object({ orders: z.array(z.object(summary)), nextCursor: z.string().nullable() }),
    annotations: reads,
    run: listOrders,
  }),
  createMallTool({
    name: 'mall4j.order.cancel',
    title: 'Cancel an order',
    description: 'Cancels an order that has not been shipped. This cannot be undone.',
    input: z.strictObject({ orderId }),
    output: z.object({ orderId: z.string(), status }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: (shop, args) => cancelOrder(shop, args.orderId),
  }),
  createMallTool({
    name: 'mall4j.order.add_note',
    title: 'Add a note to an order',
    description: 'Adds a note for the staff to an order. Called twice, it adds two.',
    input: z.strictObject({ orderId, text: z.string().min(1).max(500) }),
    output: z.object({ orderId: z.string(), notes: z.array(z.string()) }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    run: (shop, args) => addNote(shop, args.orderId, args.text),
  }),
]
