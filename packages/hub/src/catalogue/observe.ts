import type { Clock } from '@dataagent/guard'
import { isAppError, type JsonObject } from '@dataagent/schema'
import { createPause } from '../pause.ts'
import { toSkeleton } from '../poisoning/index.ts'
import type { RegisteredServer } from '../servers/index.ts'
import type { SchemaJudgement } from '../validation/index.ts'
import type { ToolRows } from './contract.ts'
import { makeRoom } from './make-room.ts'
import { beingRead } from './offers.ts'
import { type Plan, planObservation } from './plan.ts'
import { standingOf } from './row.ts'
import { createSightReader, groupBySkeleton, prepareSight, type Sight } from './sights.ts'
import type { Group, ToolMemory } from './tool-memory.ts'
import { withdraw } from './withdraw.ts'

const attemptsMax = 5
/** Of one tool, of those that nobody approved: a server may change at every look. */
const versionsKept = 100
/** A list that is offered already is read at once, unless that takes longer. */
const atOnceMs = 50

export interface ObserverOptions {
  memory: ToolMemory
  rows: Pick<ToolRows, 'put'>
  clock: Clock
  /** How many names a server may have, those that are gone included. */
  toolsMax: number
  judgeSchema(schema: JsonObject): SchemaJudgement
  /** One after another, with every other change of the store. */
  serially<T>(work: () => Promise<T>): Promise<T>
  /** Reads a server's tools again. */
  load(group: Group): Promise<void>
  /** Reads the numbers of its tools' versions again. */
  loadHashes(group: Group): Promise<void>
  publish(tenant_id: string): void
  /** Told once, until all that the server offers is taken over again. */
  onRefused(group: Group): void
}

/** Takes over what a server offers: withdraws at once, stores, then adds. */
export function createObserver(options: ObserverOptions) {
  const { memory, clock, toolsMax } = options

  return async (group: Group, server: RegisteredServer, raws: Iterable<unknown>) => {
    group.observations += 1
    group.sightings += 1
    const turn = group.observations
    const sighting = group.sightings
    const isOvertaken = () => group.observations !== turn
    const pause = createPause(clock)
    const reader = createSightReader(group)
    let position = 0
    for (const raw of raws) {
      reader.read(raw, position++)
      // What is offered now may have to be withdrawn: it is read first, or held back meanwhile.
      const isOffered = group.link.status === 'connected'
      if (!pause.isDue(isOffered ? atOnceMs : undefined)) continue
      if (isOffered) holdBack(memory, group)
      await pause.rest()
      if (isOvertaken()) return
    }
    const sights = reader.finish()
    group.listed = new Map(sights.values().map(({ name, hash }) => [name, hash]))
    for (const known of group.tools.values()) {
      const sight = sights.get(known.tool.name)
      known.seen = sight && { text: sight.text, hash: sight.hash }
      withdraw(known, { isPinned: server.config.pinning === 'pin' })
    }
    // A loss that came meanwhile counts; what was listed before it is true all the same.
    if (group.sightings === sighting) group.link = { status: 'connected' }
    memory.renew(group)

    const prepare = createPreparer(options, server, sights)
    const { refused } = makeRoom(group, sights, toolsMax)
    for (const sight of sights.values()) {
      if (!refused.has(sight.name) && isNews(group, sight)) prepare(sight)
      if (pause.isDue()) await pause.rest()
    }
    await options.serially(async () => {
      const current = memory.serverOf(group)
      const isStale = () =>
        isOvertaken() || memory.findGroup(group.tenant_id, group.server_id) !== group
      if (isStale() || current === undefined) return
      const now = clock.now()
      const plan = { group, server: current, sights, now, toolsMax, prepare, pause }
      await store(() => planObservation(plan), group, { ...options, turn, isStale })
    })
  }
}

function holdBack(memory: ToolMemory, group: Group): void {
  group.link = beingRead
  memory.renew(group)
}

function isNews(group: Group, { name, hash }: Sight): boolean {
  const known = group.tools.get(name)
  return known === undefined || !known.hashes.has(hash)
}

function createPreparer(
  { memory, judgeSchema }: Pick<ObserverOptions, 'memory' | 'judgeSchema'>,
  server: RegisteredServer,
  sights: ReadonlyMap<string, Sight>,
) {
  let alike: Map<string, string[]> | undefined
  return (sight: Sight) => {
    if (sight.prepared) return sight.prepared
    alike ??= groupBySkeleton(sights.keys())
    const beside = alike.get(toSkeleton(sight.name)) ?? []
    const neighbours = [...beside, ...memory.lookAlikes(server, sight.name)]
    sight.prepared = prepareSight(sight, { judgeSchema, neighbours })
    return sight.prepared
  }
}

async function store(
  make: () => Promise<Plan>,
  group: Group,
  options: ObserverOptions & { turn: number; isStale(): boolean },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const plan = await make()
    // A later list has come, which is stored in its turn.
    if (options.isStale()) return
    try {
      const { changes, versions, dropped: drop } = plan
      const isChanged = changes.length + drop.length > 0
      if (isChanged) await options.rows.put(changes, versions, { keep: versionsKept, drop })
      apply(plan, group, options)
      if (isChanged) options.publish(group.tenant_id)
      if (isOver(plan, group)) await options.loadHashes(group)
      return
    } catch (error) {
      // Another process was first: what it stored is what this one decides on.
      if (!isAppError(error, 'conflict') || attempt === attemptsMax) throw error
      await options.load(group)
    }
  }
}

/** Whether the store may have dropped versions that memory still has. */
function isOver({ versions }: Plan, group: Group): boolean {
  return versions.some(({ name }) => (group.tools.get(name)?.hashes.size ?? 0) > versionsKept)
}

function apply(
  { results, drift, dropped, refused }: Plan,
  group: Group,
  { memory, turn, onRefused }: ObserverOptions & { turn: number },
): void {
  const isPinned = memory.serverOf(group)?.config.pinning === 'pin'
  const isLast = group.observations === turn
  for (const { tool, sight, version, isStored } of results) {
    const known = memory.set(group, tool)
    if (isStored) known.stored = { ...standingOf(tool), seen_at: tool.seen_at }
    if (sight && version !== undefined) known.hashes.set(sight.hash, version)
    known.withdrawn = undefined
    if (isLast) known.seen = sight && { text: sight.text, hash: sight.hash }
    // A later list counts from the moment that it came.
    else withdraw(known, { isPinned })
  }
  forget(memory, group, new Set(dropped.map(({ row }) => row.name)))
  memory.renew(group, drift)
  const isNew = refused > 0 && group.refused === 0
  group.refused = refused
  if (isNew) onRefused(group)
}

function forget(memory: ToolMemory, group: Group, names: ReadonlySet<string>): void {
  if (names.size === 0) return
  for (const name of names) {
    const known = group.tools.get(name)
    if (known) memory.remove(known)
  }
  group.past = new Map([...group.past].filter(([name]) => !names.has(name)))
}
