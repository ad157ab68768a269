import assert from 'node:assert/strict'
import type { ChatSocket, Client } from '@dataagent/client'
import type { Scene } from './scene.ts'
import { tale } from './scene.ts'
import { lastOf, readTurn, say, textOf } from './turns.ts'

const assistant_id = 'manager'
const cancelOrder = (orderId: string | undefined) =>
  `call order--cancel ${JSON.stringify({ orderId })}`

/** Turns by REST and over a socket: a person approves, rejects, cancels; the line is cut. */
export async function chat({ narrator, platform, ada, cutLine, mall }: Scene) {
  const { step } = narrator
  const [first, second, third] = await step('orders that can be cancelled are listed by hand', () =>
    paidOrders(ada),
  )

  await step('the demo model looks an order up, by REST', async () => {
    const events = await say(
      ada,
      'use the mall4j.order.get_detail tool with orderId order-0042',
      'clerk',
    )
    assert.equal(lastOf(events, 'tool_result')?.status, 'success')
    assert.match(textOf(events), /order-0042/)
  })
  await step('what needs a person is refused where nobody can be asked', async () => {
    const events = await say(ada, cancelOrder(first), assistant_id)
    assert.equal(lastOf(events, 'tool_result')?.outcome, 'denied')
  })
  await step('over a socket a person approves, and the order is cancelled once', async () => {
    const events = await turnDecided(ada, cancelOrder(first), { type: 'approve' })
    assert.equal(lastOf(events, 'tool_result')?.status, 'success')
    assert.equal((await mall.calls('mall4j.order.cancel')).length, 1)
  })
  await step('a no ends the turn, and nothing is called', async () => {
    const no = { type: 'reject', message: 'Not this one.' } as const
    const events = await turnDecided(ada, cancelOrder(second), no)
    assert.equal(lastOf(events, 'done')?.cancelled, true)
    assert.equal((await mall.calls('mall4j.order.cancel')).length, 1)
  })
  await step('a cancel ends a turn within a second', async () => {
    const { session_id } = await ada.sessions.create({ assistant_id })
    using socket = ada.connect(session_id)
    socket.send('Tell a tale')
    let askedAt = 0
    const events = await readTurn(socket, (event) => {
      if (event.event_type !== 'text' || askedAt > 0) return
      askedAt = performance.now()
      socket.cancel()
    })
    assert.ok(performance.now() - askedAt < 1_000)
    assert.equal(lastOf(events, 'done')?.cancelled, true)
  })
  await step('the line is cut, and the tale goes on at the letter', async () => {
    const { session_id } = await ada.sessions.create({ assistant_id })
    using socket = ada.connect(session_id)
    socket.send('Tell a tale')
    let cuts = 0
    const events = await readTurn(socket, (_, seen) => {
      if (cuts >= 3 || textOf(seen).length < 200 * (cuts + 1)) return
      cuts += 1
      cutLine()
    })
    assert.deepEqual([cuts, textOf(events)], [3, tale])
  })
  await step(
    'the platform is killed while a person is asked, and goes on after its start',
    async () => {
      const { session_id } = await ada.sessions.create({ assistant_id })
      using socket = ada.connect(session_id)
      socket.send(cancelOrder(third))
      let restarted: Promise<void> | undefined
      const restart = async (approval_id: string) => {
        await platform.kill()
        await platform.start()
        await ada.approvals.decide(approval_id, { type: 'approve' })
      }
      const events = await readTurn(socket, (event) => {
        if (event.event_type === 'hitl_request') restarted ??= restart(event.approval_id)
      })
      await restarted
      assert.equal(lastOf(events, 'tool_result')?.status, 'success')
      assert.equal((await mall.calls('mall4j.order.cancel')).length, 2)
    },
  )
}

/** A turn over a socket, in which a person decides so on all that is asked. */
async function turnDecided(
  client: Client,
  message: string,
  decision: Parameters<ChatSocket['decide']>[1],
) {
  const { session_id } = await client.sessions.create({ assistant_id })
  using socket = client.connect(session_id)
  socket.send(message)
  return await readTurn(socket, (event) => {
    if (event.event_type === 'hitl_request') void socket.decide(event.approval_id, decision)
  })
}

export async function paidOrders(client: Client): Promise<string[]> {
  const args = { status: 'paid', limit: 10 }
  const outcome = await client.tools.call({ tool: 'mall.mall4j.order.list', args })
  assert.equal(outcome.status, 'ok')
  const { orders } = JSON.parse(outcome.result.text) as { orders: { orderId: string }[] }
  return orders.map(({ orderId }) => orderId)
}
