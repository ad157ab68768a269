import { createMemoryStore } from './memory-store.ts'

// A process that remembers facts, as many as its third argument says, named after its second.
const [root = '', name = '', count = ''] = process.argv.slice(2)

await using store = await createMemoryStore({ root })
const owner = { tenant_id: 'default', user_id: 'ada', assistant_id: 'helper' }
for (let i = 0; i < Number(count); i += 1) {
  await store.remember(owner, { text: `${name} ${i}`, by: 'user' })
}
