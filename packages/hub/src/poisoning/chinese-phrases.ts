import { type Phrase, toPattern } from './phrase.ts'

const not =
  '(?:不要|不得|请勿|切勿|禁止|别|无需|不必|避免|不能|勿|不用|不可|不许|不應|不应|請勿|無需|千万别)'
const user = '(?:用户|使用者|用戶|客户|客戶|任何人|对方|人类|操作员)'

/** As the English ones, in simplified and traditional Chinese. */
export const chinesePhrases: readonly Phrase[] = [
  {
    weight: 2,
    what: 'sets instructions aside',
    pattern: toPattern`
      (?:忽略|无视|無視|忽視|忽视|忘记|忘記|忘掉|不要理会|不理会|不要遵守|不再遵守
      |停止遵守|抛弃|绕过|繞過|覆盖|推翻).{0,10}(?:之前|以上|上面|上述|前面|先前
      |此前|你的|原有|原来|系统|系統|既定|一切|其他|其它|安全|所有|全部)
      .{0,10}(?:指令|指示|提示|说明|說明|规则|規則|要求|命令|对话|對話|约束|限制
      |设定|設定|策略|内容)
    `,
  },
  {
    weight: 2,
    what: 'sets instructions aside',
    pattern: toPattern`
      (?:忽略|无视|忘记|忘掉|無視|忘記)(?:之前|以上|上面|先前|此前|前面)(?:的一切
      |的所有|所有|一切|的内容|$|[，。,.!！])
    `,
  },
  {
    weight: 2,
    what: 'keeps something from the user',
    pattern: new RegExp(
      `${not}.{0,6}(?:告诉|告知|告訴|让|讓|透露给|泄露给|提醒|说给).{0,4}${user}|${not}.{0,4}(?:向|对|對|跟|和|与).{0,4}${user}.{0,6}(?:提及|透露|泄露|洩露|说明|说|提起|解释|披露|公开|提到)|(?:对|對|向)${user}(?:保密|隐瞒|隱瞞)|(?:瞒着|背着|不让|不讓)${user}`,
    ),
  },
  {
    weight: 1,
    what: 'keeps something from the user',
    pattern: new RegExp(`${not}.{0,6}(?:通知|提示|询问|展示|显示|提及|提到|透露|泄露|解释|回复)`),
  },
  {
    weight: 2,
    what: 'asks for something in secret',
    pattern: toPattern`
      (?:悄悄|秘密|偷偷|暗中|默默|静默|私下|不动声色).{0,12}(?:发送|读取|执行|调用
      |上传|复制|转发|收集|添加|传|記錄|记录|发给|讀取|發送|附加|抄送)
    `,
  },
  {
    weight: 2,
    what: 'puts itself before other tools',
    pattern: toPattern`
      (?:使用|调用|執行|执行|运行|呼叫|調用).{0,4}(?:任何|所有|其他|其它|别的|任意
      |每个|每個).{0,6}工具.{0,4}(?:之前|以前|前)|先于.{0,4}(?:任何|其他|其它|所有)
      .{0,4}工具
    `,
  },
  {
    weight: 2,
    what: 'speaks of other tools',
    pattern: toPattern`
      (?:不要|禁止|切勿|不得|别)(?:再)?(?:使用|调用|相信|信任).{0,6}(?:其他|其它
      |别的|任何).{0,4}工具|(?:其他|其它|别的|所有)工具.{0,8}(?:不安全|已失效|已废弃
      |不可信|已禁用|有毒|恶意)|(?:每次|每当|无论何时|当).{0,8}(?:其他|其它|别的
      |任何).{0,4}工具.{0,20}(?:必须|务必|都要|也要|同时|必須)|(?:修改|改变|替换
      |篡改|劫持).{0,8}(?:其他|其它|别的).{0,4}工具
    `,
  },
  {
    weight: 1,
    what: 'asks to be preferred',
    pattern: toPattern`
      (?:总是|始终|必须|务必|一律|永远)(?:优先)?(?:使用|调用|选择)(?:此|本|这个
      |該)工具
    `,
  },
  {
    weight: 1,
    what: 'speaks of the system prompt',
    pattern: /系统提示词?|系统指令|系統提示|隐藏指令|初始提示/,
  },
  {
    weight: 2,
    what: 'asks for the system prompt',
    pattern: toPattern`
      (?:输出|泄露|透露|打印|复述|重复|发送|告诉我|附上|公开|填入|粘贴|完整给出
      |輸出).{0,10}(?:你的|完整的?|全部的?|当前的?)?.{0,4}(?:系统提示|系统指令
      |系統提示|初始提示|隐藏指令)
    `,
  },
  {
    weight: 2,
    what: 'asks for a secret file',
    pattern: toPattern`
      (?:读取|讀取|打开|查看|获取|收集|窃取|复制|上传|发送|输出|附上)
      .{0,24}(?:\.ssh\b(?!\/config)|id_rsa|id_ed25519|\.aws\/credentials
      |\/etc\/shadow|助记词|bash_history)
    `,
  },
  {
    weight: 1,
    what: 'asks for secrets',
    pattern: toPattern`
      (?:读取|讀取|打开|获取|收集|窃取|复制|上传|发送|输出|附上|填入|提取|盗取)
      .{0,24}(?:私钥|密钥|密码|凭据|凭证|令牌|环境变量|\.env\b|\/etc\/passwd|\.ssh
      |口令|信用卡|身份证|cookie)
    `,
  },
  {
    weight: 2,
    what: 'sends data away',
    pattern: toPattern`
      (?:对话|聊天记录|历史|密码|密钥|令牌|全部|所有|凭据|文件内容|上下文|私钥
      |用户(?:的)?(?:数据|信息|输入)|系统提示|环境变量|對話|密鑰).{0,24}(?:发送|上传
      |转发|提交|传送|发到|外传|回传|發送|上傳|发给|传到|抄送|泄露)
      .{0,24}(?:https?:\/\/|@|\w\.(?:com|cn|net|io|xyz)|攻击者)|(?:发送|上传|转发
      |提交|外传|回传|發送|上傳|抄送).{0,30}(?:对话|聊天记录|历史|密码|密钥|令牌
      |凭据|文件内容|上下文|私钥|對話).{0,30}(?:https?:\/\/|@|\w\.(?:com|cn|net|io
      |xyz)|攻击者)
    `,
  },
  {
    weight: 1,
    what: 'sends data away',
    pattern: toPattern`
      (?:发送|上传|转发|外传|回传|發送|上傳|抄送|发到).{0,40}(?:https?:\/\/|@\w
      |攻击者)
    `,
  },
  {
    weight: 2,
    what: 'gives the model a role',
    pattern: toPattern`
      (?:你现在是|从现在起|从现在开始|今后你|扮演|進入|进入)
      .{0,20}(?:没有(?:任何)?限制|不受(?:任何)?限制|管理员模式|开发者模式|越狱
      |无限制|上帝模式|不受约束)
    `,
  },
  {
    weight: 1,
    what: 'speaks to the model',
    pattern: toPattern`
      从现在(?:起|开始)|你现在是|(?:作为|身为).{0,4}(?:ai|人工智能|大模型|语言模型)
      |(?:ai|模型|助手|智能体|大模型)(?:必须|应当|务必|应该|需要先|必須)|越狱
    `,
  },
  {
    weight: 2,
    what: 'gives new instructions',
    pattern: toPattern`
      (?:新的?|真正的|隐藏的?|秘密|最新)(?:系统)?(?:指令|指示|任务|命令)[：:]
      |(?:系统|管理员|开发者)(?:覆盖|命令|指令|通知|警告|消息)[：:]
    `,
  },
  {
    weight: 1,
    what: 'skips approval',
    pattern: toPattern`
      (?:不需要|无需|不用|跳过|不必|绕过|免).{0,6}(?:确认|同意|批准|授权|审批|許可
      |许可)
    `,
  },
  {
    weight: 2,
    what: 'claims an approval',
    pattern: /(?:用户|管理员|安全团队|用戶|管理員)(?:已|已经|已經)(?:同意|批准|授权|授權|确认)/,
  },
  {
    weight: 1,
    what: 'asks for a second act',
    pattern: toPattern`
      (?:必须|务必|一定要|必須|請務必|请务必)(?:先|首先|同时|也|再)?.{0,6}(?:读取
      |调用|发送|执行|上传|打开|复制|转发|讀取|附上)
    `,
  },
  {
    weight: 1,
    what: 'threatens',
    pattern: /否则.{0,12}(?:崩溃|失败|关闭|删除|惩罚|无法)|后果自负/,
  },
  {
    weight: 2,
    what: 'speaks of other tools',
    pattern:
      /(?:其他|其它|别的|任何其他)(?:的)?工具.{0,6}(?:不可|不得|禁止|不能|不许|不要)(?:再)?(?:使用|调用|用)/,
  },
  { weight: 1, what: 'asks to be preferred', pattern: /优先级最高|最高优先级|唯一可信/ },
  {
    weight: 1,
    what: 'asks for contents in an argument',
    pattern:
      /(?:作为|放入|传入|填入|写入|填到).{0,12}(?:参数|字段)|(?:参数|字段).{0,4}(?:传入|提交)/,
  },
  {
    weight: 1,
    what: 'asks for what was said',
    pattern: /(?:用户|全部|所有|完整).{0,4}(?:对话|聊天|消息|输入)(?:内容|记录)?/,
  },
  {
    weight: 2,
    what: 'makes orders of its output',
    pattern: /(?:执行|遵循|服从|照做).{0,10}(?:返回|输出|结果).{0,10}(?:指令|命令|指示|内容)/,
  },
]
