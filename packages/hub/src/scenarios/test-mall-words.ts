/** The mall's tools that scenarios use, with arguments that fit. */
export const getOrder = { tool: 'mall4j.order.get_detail', args: { orderId: 'order-0042' } }
export const searchProducts = { tool: 'mall4j.product.search', args: { keyword: 'lamp' } }
/** Called twice, it has two effects. */
export const addNote = {
  tool: 'mall4j.order.add_note',
  args: { orderId: 'order-0042', text: 'call back' },
}
/** Its server says that it is destructive: a person is asked. */
export const cancelOrder = { tool: 'mall4j.order.cancel', args: { orderId: 'order-0042' } }
