import { isClientError } from '@dataagent/client'
import { type ReadinessResponse, readinessResponseSchema } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'

export type Dependency = ReadinessResponse['dependencies'][number]

/** What the server needs and how each fares; while something is away that is said by an error. */
export function useDependencies() {
  const client = useClient()
  return useQuery({
    queryKey: ['ready'],
    refetchInterval: 10_000,
    queryFn: ({ signal }) =>
      client.operations.ready({ signal }).then(
        ({ dependencies }) => dependencies,
        (error: unknown) => {
          const told = isClientError(error) ? error.details?.dependencies : undefined
          const read = readinessResponseSchema.shape.dependencies.safeParse(told)
          if (read.success) return read.data
          throw error
        },
      ),
  })
}
