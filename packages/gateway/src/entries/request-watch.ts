import { AppError } from '@dataagent/schema/base'
import { invalidCredential, type Reply, rpcCodes } from '../protocol/index.ts'
import type { Visit } from './contract.ts'
import type { IsTakenBack, Shown } from './still-holds.ts'
import type { StreamWatch } from './stream-watch.ts'

/** Why a request ends that nobody may make any more. */
export const takenBack = new AppError('unauthenticated', invalidCredential)

/** Ends a request, while it is under way, once what let it in is taken back. */
export type WatchRequest = (visit: Visit, shown: Omit<Shown, 'endpoint'>) => void

export interface RequestWatchOptions {
  watch: StreamWatch
  isTakenBack: IsTakenBack
}

export function createRequestWatch({ watch, isTakenBack }: RequestWatchOptions): WatchRequest {
  return ({ response, endpoint, leaving }, { caller, credential }) => {
    async function look(): Promise<void> {
      if (await isTakenBack({ caller, credential, endpoint })) leaving.abort(takenBack)
    }
    watch.add(caller, response, () => void look())
  }
}

/** Whether a request was ended so. */
export const isCutOff = ({ reason }: AbortSignal): boolean => reason === takenBack

/** The answer to one that was, whatever became of it; undefined to any other. */
export function toTakenBackReply(signal: AbortSignal): Reply | undefined {
  if (!isCutOff(signal)) return undefined
  const data = { error_code: takenBack.code }
  const error = { code: rpcCodes.params, message: takenBack.message, data }
  return { kind: 'error', error, status: 401 }
}
