export const words = {
  whichShell: {
    en: 'For which shell? dataagent completions bash|zsh|fish',
    zh: '请指定 Shell：dataagent completions bash|zsh|fish',
  },
} as const
