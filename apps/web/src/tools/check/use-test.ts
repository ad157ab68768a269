import type { ConnectionTestResult, ServerTestRequestInput } from '@dataagent/schema'
import { useMutation } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'

/** A test that is not begun, under way, or has ended. */
export interface TestState {
  isPending: boolean
  data: ConnectionTestResult | undefined
  error: unknown
}

/** Tests a server that is not stored. */
export function useDraftTest() {
  const client = useClient()
  return useMutation({ mutationFn: (asked: ServerTestRequestInput) => client.servers.test(asked) })
}

/** Tests a stored server, with its secrets. */
export function useStoredTest(server_id: string) {
  const client = useClient()
  return useMutation({ mutationFn: () => client.servers.testStored(server_id) })
}
