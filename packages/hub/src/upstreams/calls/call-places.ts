import { quotaError } from './errors.ts'

/** The calls that a server has under way from this process, over all its connections. */
export interface CallPlaces {
  readonly taken: number
  /** Throws `quota_exceeded` where there is none left; to be followed by one `leave`. */
  enter(): void
  leave(): void
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
  }
}

function noPlace(setting: Setting, limit: number) {
  const message = `The server has ${limit} calls under way (${setting}); try again later.`
  return quotaError({ setting, limit }, message)
}
