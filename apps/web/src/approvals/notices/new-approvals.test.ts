import type { Approval } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { createNewcomers } from './new-approvals.ts'

const approval = (approval_id: string, asked = 1) => ({ approval_id, asked }) as Approval

test('only what comes after the first look is new, and what is asked again is so too', () => {
  const newOf = createNewcomers()
  expect(newOf([approval('a')])).toEqual([])
  expect(newOf([approval('a'), approval('b')])).toEqual([approval('b')])
  expect(newOf([approval('b')])).toEqual([])
  expect(newOf([approval('b', 2)])).toEqual([approval('b', 2)])
})
