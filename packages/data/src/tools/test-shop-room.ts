import type { SourceKind } from '@dataagent/schema'
import type { SourceNotes } from '../ports.ts'
import {
  administrator,
  openTestDataRoom,
  type TestDataRoom,
  type TestDataRoomOptions,
} from '../test-data-room.ts'
import { createShop } from '../test-shop.ts'

export interface ShopRoom extends TestDataRoom {
  source_id: string
}

/** A room with the source `Shop`; by default a folder of files. */
export async function openShopRoom(
  options: TestDataRoomOptions & { kind?: SourceKind; notes?: SourceNotes } = {},
): Promise<ShopRoom> {
  await using cleanup = new AsyncDisposableStack()
  const room = cleanup.use(await openTestDataRoom(options))
  const { source: location } = cleanup.use(await createShop(options.kind ?? 'files'))
  const { source_id } = await room.sources.create(administrator, {
    ...{ name: 'Shop', description: 'What was sold', location, notes: options.notes },
  })
  const kept = cleanup.move()
  return { ...room, source_id, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
