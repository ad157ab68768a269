import type { During } from '../../around-questions.ts'
import { quotaError } from './errors.ts'

/** The calls that a server has under way from this process, over all its connections. */
export interface CallPlaces {
  readonly taken: number
  /** Throws `quota_exceeded` where there is none left; to be followed by one `leave`. */
  enter(): void
  leave(): void
  /** As `enter`, for a call that left while a question of the server was open: never throws. */
  enterAgain(): void
}

type Setting = 'callsPerServer' | 'callsPerPlatformServer' | 'callsPerUsersServer'

export function createCallPlaces(
  limits: Readonly<Record<Setting, number>>,
  setting: Setting,
): CallPlaces {
  const limit = limits[setting]
  let taken = 0
  return {
    get taken() {
      return taken
    },
    enter() {
      if (taken >= limit) throw noPlace(setting, limit)
      taken += 1
    },
    leave() {
      taken -= 1
    },
    enterAgain() {
      taken += 1
    },
  }
}

/** The place of one call, which it leaves while a question of the server is open. */
export function takePlace(places: CallPlaces): { during: During; leave(): void } {
  let open = 0
  let isOver = false
  places.enter()
  return {
    async during(ask) {
      open += 1
      if (open === 1 && !isOver) places.leave()
      try {
        return await ask()
      } finally {
        open -= 1
        if (open === 0 && !isOver) places.enterAgain()
      }
    },
    leave() {
      isOver = true
      if (open === 0) places.leave()
    },
  }
}

function noPlace(setting: Setting, limit: number) {
  const message = `The server has ${limit} calls under way (${setting}); try again later.`
  return quotaError({ setting, limit }, message)
}
