"""Titles of operators and names of verdicts as pages, pictures and reports show them: `name | zh | en`, one a line."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText

_TITLES: Final = """
patch | 分窗 | Windows
time_delay_embedding | 时延嵌入 | Delay embedding
stft | 短时傅里叶变换 | Short-time Fourier transform
spectrogram | 语谱图 | Spectrogram
mel_spectrogram | 梅尔语谱图 | Mel spectrogram
wavelet_transform | 连续小波变换 | Wavelet transform
wigner_ville_distribution | Wigner-Ville 分布 | Wigner-Ville distribution
vqt | 变 Q 变换 | Variable-Q transform
vmd | 变分模态分解 | Variational modes (VMD)
emd | 经验模态分解 | Empirical modes (EMD)
wavelet_packet | 小波包分解 | Wavelet packet
cyclic_modulation_spectrum | 循环调制谱 | Cyclic modulation spectrum
detrend | 去趋势 | Detrend
denoise_wavelet | 小波降噪 | Wavelet denoising
savgol_filter | Savitzky-Golay 平滑 | Savitzky-Golay smoothing
tkeo | Teager-Kaiser 能量 | Teager-Kaiser energy
scale | 单位换算 | Unit conversion
filter | 滤波 | Filter
resample | 重采样 | Resample
integrate | 积分 | Integrate
differentiate | 求导 | Differentiate
adaptive_filter | 自适应滤波 | Adaptive filter
normalize | 标准化 | Normalise
smooth_trend | 趋势平滑 | Smoothed trend
pca | 主成分分析 | Principal components
fft | 频谱 | Spectrum
psd | 功率谱密度 | Power spectral density
zoom_spectrum | 细化谱 | Zoom spectrum
power_to_db | 分贝换算 | Decibels
cepstrum | 倒频谱 | Cepstrum
lifter | 倒频谱编辑 | Cepstral editing
hilbert_envelope | 希尔伯特包络 | Hilbert envelope
envelope_spectrum | 平方包络谱 | Squared envelope spectrum
enhanced_envelope_spectrum | 增强包络谱 | Enhanced envelope spectrum
spectral_kurtosis_curve | 谱峭度曲线 | Spectral kurtosis curve
clean_record | 修补数据 | Repaired record
cepstrum_prewhitening | 倒谱预白化 | Cepstrum pre-whitening
kurtogram_filter | 谱峭图带通 | Kurtogram band-pass
speed_from_tacho | 键相求转速 | Speed from tacho
angle_resample | 等角度重采样 | Angle resampling
time_synchronous_average | 时域同步平均 | Time-synchronous average
tsa_regular | 规则信号 | Regular signal
tsa_residual | 残余信号 | Residual signal
tsa_difference | 差分信号 | Difference signal
health_index | 健康指标 | Health index
spectral_centroid | 谱质心 | Spectral centroid
spectral_spread | 谱展宽 | Spectral spread
spectral_skewness | 谱偏度 | Spectral skewness
spectral_kurtosis | 谱形峭度 | Kurtosis of the spectrum's shape
spectral_flatness | 谱平坦度 | Spectral flatness
spectral_entropy | 谱熵 | Spectral entropy
band_power | 频带功率 | Band power
order_band_energy | 阶次带能量 | Order band energy
line_amplitude | 谱线幅值 | Line amplitude
sideband_ratio | 边带比 | Side band ratio
harmonic_score | 谐波得分 | Harmonic score
fm0 | FM0 指标 | FM0
fm4 | FM4 指标 | FM4
m6a | M6A 指标 | M6A
m8a | M8A 指标 | M8A
mean | 平均值 | Mean
std | 标准差 | Standard deviation
var | 方差 | Variance
max | 最大值 | Maximum
min | 最小值 | Minimum
rms | 均方根值 | RMS
abs_mean | 绝对平均值 | Mean absolute value
peak | 峰值 | Peak
peak_to_peak | 峰峰值 | Peak to peak
skew | 偏度 | Skewness
kurtosis | 峭度 | Kurtosis
shape_factor | 波形因子 | Shape factor
crest_factor | 峰值因子 | Crest factor
impulse_factor | 脉冲因子 | Impulse factor
clearance_factor | 裕度因子 | Clearance factor
zero_crossing_rate | 过零率 | Zero crossing rate
hjorth_parameters | Hjorth 参数 | Hjorth parameters
time_features | 时域特征 | Time-domain features
entropy | 香农熵 | Shannon entropy
permutation_entropy | 排列熵 | Permutation entropy
approximate_entropy | 近似熵 | Approximate entropy
sample_entropy | 样本熵 | Sample entropy
select | 取一项 | Selection
velocity_rms | 振动速度有效值 | Velocity RMS
monotonicity | 单调性 | Monotonicity
order_tracking | 阶次跟踪 | Order tracking
torque_normalize | 转矩归一化 | Torque normalisation
energy_ratio | 能量比 | Energy ratio
na4 | NA4 指标 | NA4
nb4 | NB4 指标 | NB4
subtract | 相减 | Difference
element_wise_product | 逐点相乘 | Product
arithmetic | 四则运算 | Arithmetic
concatenate | 特征拼接 | Joined features
cross_correlation | 互相关 | Cross-correlation
convolution | 卷积 | Convolution
dtw_distance | 动态规整距离 | Time warping distance
coherence | 相干函数 | Coherence
transfer_function | 传递函数 | Transfer function
phase_difference | 相位差 | Phase difference
distance | 距离 | Distance
trendability | 趋势一致性 | Trendability
prognosability | 可预测性 | Prognosability
kurtogram | 谱峭图选带 | Kurtogram band
harmonic_test | 谐波检验 | Harmonic test
bearing_test | 轴承故障频率检验 | Bearing frequency test
speed_refinement | 转速核对 | Speed check
unexplained_lines | 未解释的谱线 | Unexplained lines
score_similarity | 相似度 | Similarity
similarity_classifier | 最近参考分类 | Nearest reference
classify_by_top_k | 前 k 个投票 | Vote of the k best
ks_test | KS 检验 | Kolmogorov-Smirnov test
threshold | 门限比较 | Threshold
rule_based_decision | 规则判定 | Rules
find_peaks | 找峰 | Peaks
harmonic_analysis | 谐波分析 | Harmonic analysis
anomaly_scorer | 异常评分 | Anomaly score
outlier_detection | 离群检测 | Outliers
change_point_detection | 变点检测 | Change points
signal_quality | 数据质量 | Data quality
iso_20816 | ISO 20816 烈度 | ISO 20816 severity
control_chart | 控制图 | Control chart
remaining_useful_life | 剩余寿命 | Remaining useful life
"""


_VERDICTS: Final = """
outer | 外圈 | outer race
inner | 内圈 | inner race
ball | 滚动体 | rolling element
cage | 保持架 | cage
none | 无 | none
unexplained line | 未解释的谱线 | unexplained line
yes | 是 | yes
no | 否 | no
change | 有突变 | change
steady | 平稳 | steady
peaks | 个峰 | peaks
outliers | 个离群值 | outliers
as given | 与给定一致 | as given
differs | 与给定不符 | differs from given
good | 良好 | good
clipped | 有削波 | clipped
constant | 恒定值 | constant
long_record | 记录过长 | long record
not_finite | 有非数值 | not all numbers
mostly_not_finite | 多为非数值 | mostly not numbers
not_vibration | 非振动信号 | no vibration
out_of_range | 数值不可能 | impossible values
short | 记录较短 | short
too_short | 记录过短 | too short
ok | 正常 | ok
alarm | 报警 | alarm
normal | 正常 | normal
anomaly | 异常 | anomaly
present | 存在 | present
absent | 不存在 | absent
same | 相同 | same
different | 不同 | different
unknown | 未知 | unknown
no degradation | 未见退化 | no degradation
estimated | 已估计 | estimated
threshold reached | 已达门限 | threshold reached
activity | 活动性 | activity
mobility | 移动性 | mobility
complexity | 复杂性 | complexity
"""

# The score of a decision and what it is compared with; `{name}` is a note or a parameter of its node.
_MEASURES: Final = """
kurtogram | 最高峭度 {kurtosis} | highest kurtosis {kurtosis}
harmonic_test | 谐波得分 {score}（门限 {min_score}） | harmonic score {score} (limit {min_score})
bearing_test | 谐波得分 {score}（门限 {min_score}） | harmonic score {score} (limit {min_score})
speed_refinement | {rpm} rpm，轴频谱线强度 {score}（门限 {least}） | {rpm} rpm, line strength {score} (limit {least})
unexplained_lines | 谐波得分 {score}（门限 {min_score}） | harmonic score {score} (limit {min_score})
score_similarity | 最高相似度 {score} | highest similarity {score}
similarity_classifier | 相似度 {score}（门限 {min_similarity}） | similarity {score} (limit {min_similarity})
classify_by_top_k | 得票比例 {score} | share of the votes {score}
ks_test | KS 统计量 {score}，p 值 {p_value}（门限 {alpha}） | KS statistic {score}, p {p_value} (limit {alpha})
threshold | 最差值 {score} {unit}（门限 {threshold}） | worst value {score} {unit} (limit {threshold})
rule_based_decision | 满足的规则比例 {score} | share of rules that hold {score}
find_peaks | 最高峰 {score} | highest peak {score}
harmonic_analysis | 平均信噪比 {score}（门限 {min_snr}） | mean signal-to-noise {score} (limit {min_snr})
anomaly_scorer | 最高异常得分 {score}（门限 {limit}） | highest anomaly score {score} (limit {limit})
outlier_detection | 最高离群得分 {score}（共 {of} 条记录） | highest outlier score {score} (of {of} records)
change_point_detection | 变点数 {score} | change points {score}
iso_20816 | 速度有效值 {score} mm/s（区界 {limits_mm_s}） | velocity RMS {score} mm/s (zone limits {limits_mm_s})
control_chart | 最高图值 {score}（门限 {limit}） | highest chart value {score} (limit {limit})
remaining_useful_life | 剩余 {score} {unit}（下限 {low}） | {score} {unit} left (at least {low})
"""


@cache
def read_titles() -> Mapping[str, BilingualText]:
    """Title of each operator in both languages."""
    return _read_table(_TITLES)


@cache
def read_verdicts() -> Mapping[str, BilingualText]:
    """Name of each verdict, and of each figure without an operator of its own, in both languages.

    Bands, counts and labels of the user's are shown as they are.
    """
    return _read_table(_VERDICTS)


@cache
def read_measures() -> Mapping[str, BilingualText]:
    """Name of the score of each decision in both languages."""
    return _read_table(_MEASURES)


def _read_table(text: str) -> Mapping[str, BilingualText]:
    rows = (line.split(" | ") for line in text.strip().splitlines())
    return MappingProxyType({name: BilingualText(zh, en) for name, zh, en in rows})
