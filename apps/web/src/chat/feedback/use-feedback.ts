import type { Feedback, FeedbackWrite } from '@dataagent/schema'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { useToaster } from '../../ui/toasts.tsx'

const most = 200

/**
 * What its user thinks of a turn, and the ways to say so or to take it back. Undefined until it is
 * known, null where nothing was said.
 */
export function useFeedback(session_id: string, seq: number) {
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const queryKey = ['feedback', session_id]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.sessions.feedback(session_id, { limit: most }, { signal }),
    select: ({ feedback }): Feedback | null => feedback.find((each) => each.seq === seq) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { mutateAsync, isPending } = useMutation({
    mutationFn: async (written: FeedbackWrite | undefined) => {
      if (written) await client.sessions.rate(session_id, seq, written)
      else await client.sessions.unrate(session_id, seq)
    },
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (error) => toaster.failed(toProblem(error)),
  })
  /** Says whether it was taken; why it was not has been shown. */
  const write = (written: FeedbackWrite | undefined) =>
    mutateAsync(written).then(
      () => true,
      () => false,
    )
  return { feedback: data, isPending, write }
}
