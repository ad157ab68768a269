const missesMax = 2

/** Asks again and again whether the other side is there. */
export interface Heartbeat {
  start(): void
  /** Something came: it is there. */
  heard(): void
  stop(): void
}

export interface HeartbeatOptions {
  everyMs: number
  ping(): void
  /** Two questions in a row had no answer. */
  onDead(): void
}

export function createHeartbeat({ everyMs, ping, onDead }: HeartbeatOptions): Heartbeat {
  let timer: ReturnType<typeof setInterval> | undefined
  let asked = 0

  function ask(): void {
    if (asked === missesMax) {
      onDead()
      return
    }
    asked += 1
    ping()
  }

  function stop(): void {
    clearInterval(timer)
  }

  return {
    start() {
      stop()
      asked = 0
      timer = setInterval(ask, everyMs)
    },
    heard() {
      asked = 0
    },
    stop,
  }
}
