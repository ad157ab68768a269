/** Chinese sentences that the recogniser is tuned on; written as `held-out.ts` says. */
export const tunedChinese = `
# zh explicit
run_query | 麻烦你使用一下run_query这个工具，帮我看看昨天的注册量
run_query | 能帮我跑一下 run_query 吗
run_query | 我想让你用run_query工具来统计
get_forecast | 使用工具 get_forecast 查询南京
get_forecast | 请启动get_forecast
create_issue | 用GitHub的create_issue工具建个单子
search_mail | 请帮我调search_mail找发票
translator | 用translator翻一下这段
翻译 | 借助翻译工具看看这段日文
mall4j.stock.check | 用mall4j.stock.check看product-042够不够
list_directory | 试试 list_directory 工具
read_text | 用fs的read_text打开配置
mall | 用 mall 工具看看
weather | 请使用 Weather 工具
send_mail | 可以调用下send_mail工具吗？
describe_table | 工具 describe_table，看看 users
countdown | 麻烦运行countdown工具
search | 请用search工具帮我找简历
github | 使用github服务
run_query | 请执行\`run_query\`
run_query | 用 run_query 工具查一下销量最高的商品
run_query | 使用run_query工具看看
run_query | 用run_query查一下上周的数据
run_query | 请用 \`run_query\` 查一下：select 1
run_query | 我想用run_query这个工具
run_query | 调用一下 run_query
run_query | 调用名为 run_query 的工具
run_query | 用 warehouse-db 的 run_query 工具
run_query | run_query，帮我数一下有多少行
list_tables | 直接调用list_tables吧
list_tables | 先用 db.list_tables 看看有哪些表，再告诉我
describe_table | 请使用 describe_table 看一下 orders 的字段
describe_table | 用「describe_table」查 orders
mall4j.order.get_detail | 用 mall4j.order.get_detail 工具查 order-0042
mall4j.order.get_detail | 用 order.get_detail 看看 order-0042 到哪了
mall4j.order.get_detail | 使用 shop.mall4j.order.get_detail
mall4j.order.get_detail | 请调用 get_detail 工具，参数 orderId=order-0042
mall4j.product.search | 调用 product.search 找台灯
mall4j.order.list | 调用 mall4j.order.list 接口
get_forecast | 用 get_forecast 工具
get_forecast | 麻烦调用 get_forecast，城市是成都
get_forecast | 用 get-forecast 工具看看杭州
current_conditions | 可以用 current_conditions 查一下广州吗
current_conditions | 用 current_cond 工具查一下广州
weather | 用 weather 工具看一下
github | 调用 github，看看有没有人提意见
github | 请用 github 查一下谁是作者
create_issue | 用 github.create_issue 提一个问题：登录失败
create_issue | 用 create_issue 工具记录这个缺陷
list_pull_requests | 执行 list_pull_requests 工具
search_code | 用 search_code 搜一下 parseConfig
filesystem | 用 filesystem 工具列出文件
read_text | 用 read_text 工具打开 notes.md
search | 用 search 工具找 report.pdf
send_mail | 用 send_mail 工具给李四写信
search_mail | 通过 search_mail 找一下合同
mailer | 用 mailer 工具
翻译文本 | 调用翻译文本，内容是：早上好
翻译文本 | 使用“翻译文本”工具
翻译 | 请使用翻译服务
detect_language | 用 translator.detect_language 判断一下
time | 调用 time 工具
countdown | 用 countdown 工具算算离春节还有多少天
clock | 用 clock 工具看时间
销售预测 | 请用「销售预测」工具分析一下
stock_price | 用 stock_price 工具看看茅台
foo | /tool foo
run_query | /tool run_query select count(*) from users
汇率换算 | 使用『汇率换算』工具
# zh keyword
mall | 为什么我的订单被取消了？
warehouse-db | 这个SQL语句报错了
weather | 出差前想知道那边天气
mailer | 邮件发不出去怎么办
github | 帮我review一下这个PR吧
mall | 库存预警怎么设置
clock | 跨时区开会怎么安排
mall | 查一下订单 order-0042
mall | 昨天的订单总额是多少
mall | 库存不足的商品有哪些
mall | 客户申请退货了
mall | 订单
warehouse-db | 帮我优化这条 SQL
warehouse-db | sql怎么写
warehouse-db | 连一下数据库看看
warehouse-db | 帮我查表
warehouse-db | 用SQL统计一下每个部门的人数
weather | 今天天气好吗
weather | 看看 weather
weather | 不知道周末天气适不适合爬山
github | 看看 GitHub 上的讨论
github | 有几个PR没合并
github | C++怎么写多线程
github | 打开代码仓库
mailer | 发一封邮件给王五
mailer | 看一下我的inbox
翻译 | 请把下面的内容译成英文
clock | 换算一下时区
mall | 我要查订单和天气
# zh normal
你们公司用哪些办公工具
调用这个接口要收费吗
调用失败怎么处理
什么工具能画流程图
使用工具时要注意安全
用哪个命令查看进程
使用帮助
我用了很多年苹果手机
用法用量是什么
引用格式怎么写
我们通过电话联系吧
通过率有多高
他执行了命令
运行时错误是什么意思
这个工具类怎么写
工具人是什么意思
用time函数计时
我不想用search这种办法
用户调用量统计
如何避免重复调用
翻译官是什么职业
用翻译腔写一句话
记得小时候常去河边
忘记过去意味着背叛
请用git提交代码
用邮箱注册
用Clock这个词造句
用什么工具比较好？
应该用哪个工具
有没有好用的工具推荐
什么是函数调用
系统调用是怎么实现的
接口调用失败了怎么排查
调用链追踪是什么
怎么调用一个函数
调用次数太多会被限流吗
这个工具怎么样
用工具提高效率
用好工具很重要
用合适的工具做合适的事
用哪种工具做思维导图
用户工具栏在哪里
你能用工具吗
你可以使用哪些工具
用手机拍照的技巧
用时间换空间
用数据说话
用代码实现快速排序
用Python写一个爬虫
使用 Excel 做透视表
用Markdown格式输出
用英文写一封求职信
用一个比喻解释递归
用最简单的话说
使用权限不足怎么办
费用怎么报销
信用卡怎么办理
这个功能没什么用
通过努力获得成功
运行环境怎么配置
运行速度太慢了
执行力差怎么办
执行董事是谁
试试看吧
别用 run_query 工具
不用 get_forecast 工具也行
先别使用 create_issue
我没有用 search_code 工具
千万别调用 send_mail
MySQL怎么安装
PostgreSQL 的索引有哪几种
NoSQL适合什么场景
PRD文档怎么写
你的SKUs是复数吗
写一个叫 read_text 的函数
定义一个名为 run_query 的方法
你好呀
早上好
讲个笑话
你能做什么
总结一下这篇文章
帮我润色这段话
一加一等于几
推荐几本书
今天星期几
人工智能的未来
写一个周报模板
明天开会讨论什么
帮我起个名字
项目进度怎么汇报
如何与客户沟通
给我一些减肥建议
我记得以前来过这里
他忘记了自己的名字
记忆力下降怎么办
怎么做会议记录
记者是怎么工作的
我不记得密码了
同意书模板怎么写
批准流程要多久
# zh memory
请你记住我的车牌号
帮我记下会议时间是三点
记住了，我只喝热水
请记住我住在上海
帮我记一下明天要交报告
记下来，我不吃辣
你记住我的生日是五月一日
别忘了提醒我按时吃药
不要忘记我喜欢喝茶
请忘记我的地址
忘掉它
你还记得我叫什么吗
还记得我的爱好吗
你记得我住哪吗
麻烦你记住这个偏好
以后记得用英文回答我
# zh hitl
好的，同意
可以的
不同意，太贵了
拒绝执行
先不要
嗯，继续吧
批准
我同意
可以
好的
好
行
确认
没问题
继续
通过
拒绝
不同意
不可以
取消
不要
拒绝：没有必要
驳回
# zh normal pending
同意书怎么写
批准流程是什么样的
好的，那给我讲讲量子力学
行业前景怎么样
不要紧，说说别的
拒绝别人的技巧有哪些
为什么需要我确认
`
