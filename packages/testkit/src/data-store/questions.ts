import { randomUUID } from 'node:crypto'
import type { DataStore } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { aQuestion } from './rows.ts'

const room = { max: 1_000 }

export function testQuestions(data: () => DataStore): void {
  const rows = () => data().questions

  test('a question comes back as it was stored, and is replaced by id', async () => {
    const sql = `select '${'x'.repeat(19_000)}'`
    const question = aQuestion({ owner_user_id: 'ana', verified: false, also: [], sql })
    const { tenant_id, question_id } = question
    await rows().put(question, { max: 1 })
    expect(await rows().get(tenant_id, question_id)).toEqual(question)
    const verified = { ...question, owner_user_id: null, verified: true, also: ['x', '问'] }
    await rows().put(verified, { max: 1 })
    expect(await rows().get(tenant_id, question_id)).toEqual(verified)
    const noted = { ...question, note: '不含退款\nwithout "refunds"' }
    await rows().put(noted, { max: 1 })
    expect(await rows().get(tenant_id, question_id)).toEqual(noted)
    expect(await rows().get('other', question_id)).toBeUndefined()
    expect(await rows().get(tenant_id, `${question_id} `)).toBeUndefined()
  })

  test('a user sees those of all and their own, the newest first', async () => {
    const tenant_id = randomUUID()
    const [shared, own, others] = [null, 'ana', 'bo'].map((owner_user_id, n) =>
      aQuestion({ tenant_id, owner_user_id, updated_at: n }),
    )
    for (const question of [shared!, own!, others!, aQuestion()]) await rows().put(question, room)
    expect(await rows().list(tenant_id, 'ana')).toEqual([own, shared])
    expect(await rows().list(tenant_id, 'bo')).toEqual([others, shared])
    expect(await rows().list(tenant_id, null)).toEqual([shared])
  })

  test('one is deleted by its own tenant alone', async () => {
    const question = aQuestion()
    const { tenant_id, question_id } = question
    await rows().put(question, room)
    expect(await rows().delete('other', question_id)).toBe(false)
    expect(await rows().get(tenant_id, question_id)).toEqual(question)
    expect(await rows().delete(tenant_id, question_id)).toBe(true)
    expect(await rows().delete(tenant_id, question_id)).toBe(false)
  })

  test('each owner has room of their own', async () => {
    const tenant_id = randomUUID()
    const put = (owner_user_id: string | null) =>
      rows().put(aQuestion({ tenant_id, owner_user_id }), { max: 1 })
    for (const owner of ['ana', 'bo', null]) await put(owner)
    await expect(put('ana')).rejects.toMatchObject({ code: 'quota_exceeded' })
    await expect(put(null)).rejects.toMatchObject({ code: 'quota_exceeded' })
  })
}
