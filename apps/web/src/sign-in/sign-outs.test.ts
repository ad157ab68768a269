import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { hearSignOuts, tellSignOut } from './sign-outs.ts'

test('each tab that listens is told who has signed out, and no more of them', async () => {
  const heard: [string, unknown][] = []
  const ends = ['a', 'b'].map((tab) => hearSignOuts((person) => heard.push([tab, person])))
  const ana = { tenant_id: 'default', user_id: 'ana' }
  tellSignOut({ ...ana, name: 'Ana' } as typeof ana)
  await waitFor(() => heard.length === 2)
  expect(heard.toSorted()).toEqual([
    ['a', ana],
    ['b', ana],
  ])
  for (const end of ends) end()
})
