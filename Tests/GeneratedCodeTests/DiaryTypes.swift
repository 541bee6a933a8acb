// The classes that the model 'Diary' leaves to the user.

class Photo: _Photo {}

final class Portrait: _Portrait {}
