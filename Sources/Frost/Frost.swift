// What users import: `import Frost` brings the values that its calls take along.
@_exported public import FrostCore

// What devices there are.
@_exported public import enum FrostGLES.DeviceReport
@_exported public import enum FrostGLES.Devices
@_exported public import struct FrostGLES.DeviceInfo

// Textures, framebuffers and dma-bufs of the embedding program, and why they cannot be used.
@_exported public import class FrostGLES.DMABufferAllocator
@_exported public import enum FrostGLES.FenceWait
@_exported public import enum FrostGLES.GLError
@_exported public import enum FrostGLES.HostSurface
@_exported public import enum FrostGLES.SubmittedWork
@_exported public import enum FrostGLES.TextureFormat
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
@_exported public import struct FrostGLES.YUVColor
@_exported public import class FrostGPU.HostBuffer
@_exported public import enum FrostGPU.FilterProfile
@_exported public import enum FrostGPU.GPUError
@_exported public import enum FrostGPU.ProgramCacheLocation
@_exported public import enum FrostGPU.TransferPath
@_exported public import struct FrostGPU.GPUOptions
@_exported public import struct FrostGPU.GPUStatistics
@_exported public import struct FrostGPU.HostImage
@_exported public import struct FrostGPU.HostTarget
@_exported public import struct FrostGPU.SurfaceFault
