// `import Frost` also exports FrostCore: the value types that Frost's functions take and return.
@_exported public import FrostCore

@_exported public import FrostLog

// Exports the types that list the available devices.
@_exported public import enum FrostGLES.DeviceReport
@_exported public import enum FrostGLES.Devices
@_exported public import struct FrostGLES.DeviceInfo

// Exports the types that describe textures, framebuffers and dma-bufs of the embedding program, the types for the
// reasons why such objects cannot be used, and the types for the GPU's options and statistics.
@_exported public import class FrostGLES.DMABufferAllocator
@_exported public import enum FrostGLES.FenceWait
@_exported public import enum FrostGLES.GLError
@_exported public import enum FrostGLES.HostSurface
@_exported public import enum FrostGLES.PointSignal
@_exported public import enum FrostGLES.SubmittedWork
@_exported public import enum FrostGLES.TextureFormat
@_exported public import struct FrostGLES.ContextBinding
@_exported public import struct FrostGLES.ContextOptions
@_exported public import struct FrostGLES.DMABuffer
@_exported public import struct FrostGLES.DMABufferFault
@_exported public import struct FrostGLES.DMABufferFormat
@_exported public import struct FrostGLES.DMABufferKind
@_exported public import struct FrostGLES.DMABufferSupport
@_exported public import struct FrostGLES.DRMFormat
@_exported public import struct FrostGLES.DRMModifier
@_exported public import struct FrostGLES.FourCC
@_exported public import struct FrostGLES.GLEvidence
@_exported public import struct FrostGLES.HostTexture
@_exported public import struct FrostGLES.ObjectCounts
@_exported public import struct FrostGLES.OwnedDMABuffer
@_exported public import struct FrostGLES.OwnedDescriptor
@_exported public import struct FrostGLES.TimelinePoint
@_exported public import struct FrostGLES.YUVColor
@_exported public import class FrostGPU.HostBuffer
@_exported public import enum FrostGPU.GPUError
@_exported public import enum FrostGPU.ProgramCacheLocation
@_exported public import enum FrostGPU.TransferPath
@_exported public import struct FrostGPU.GPUOptions
@_exported public import struct FrostGPU.GPUStatistics
@_exported public import struct FrostGPU.HostImage
@_exported public import struct FrostGPU.HostTarget
@_exported public import struct FrostGPU.SurfaceFault
