/** One who waits for a place. */
export interface Waiter {
  tenant_id: string
  /** It had a place before, and goes on ahead of its tenant's new turns. */
  isBack: boolean
  admit(): void
}

/** Who waits, by tenant. */
export interface TurnLines {
  add(waiter: Waiter): void
  remove(waiter: Waiter): void
  /** Takes out who is next of the first tenant that may run; that tenant is then the last. */
  next(mayRun: (tenant_id: string) => boolean): Waiter | undefined
  /** New turns that wait. */
  readonly size: number
  sizeOf(tenant_id: string): number
}

export function createTurnLines(): TurnLines {
  /** In the order in which tenants have their turn. */
  const lines = new Map<string, Waiter[]>()
  let size = 0

  const countNew = (line: readonly Waiter[]) => line.filter(({ isBack }) => !isBack).length

  return {
    add(waiter) {
      const line = lines.get(waiter.tenant_id) ?? []
      const firstNew = line.findIndex(({ isBack }) => !isBack)
      const at = waiter.isBack && firstNew >= 0 ? firstNew : line.length
      line.splice(at, 0, waiter)
      lines.set(waiter.tenant_id, line)
      if (!waiter.isBack) size += 1
    },
    remove(waiter) {
      const line = lines.get(waiter.tenant_id) ?? []
      const at = line.indexOf(waiter)
      if (at < 0) return
      line.splice(at, 1)
      if (line.length === 0) lines.delete(waiter.tenant_id)
      if (!waiter.isBack) size -= 1
    },
    next(mayRun) {
      const found = [...lines].find(([tenant_id]) => mayRun(tenant_id))
      if (found === undefined) return undefined
      const [tenant_id, line] = found
      const waiter = line.shift()
      lines.delete(tenant_id)
      if (line.length > 0) lines.set(tenant_id, line)
      if (waiter && !waiter.isBack) size -= 1
      return waiter
    },
    get size() {
      return size
    },
    sizeOf: (tenant_id) => countNew(lines.get(tenant_id) ?? []),
  }
}
